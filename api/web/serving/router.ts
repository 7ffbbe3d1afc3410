import { type RequestHandler, Router } from 'express';

/** The router's method that matches a path, which its types omit. */
type Layer = Router['stack'][number] & { match(path: string): boolean };

/** A router for pages: addresses are case-sensitive. */
export function makeRouter(): Router {
  return Router({ caseSensitive: true });
}

/** Finds the routes that match a path. */
export function findRoutes(routers: readonly Router[]): (path: string) => NonNullable<Layer['route']>[] {
  const layers = routers.flatMap(listRoutes);
  return (path) => layers.filter((layer) => layer.match(path)).flatMap(({ route }) => (route ? [route] : []));
}

/** Answers 405 with `Allow` to methods that a route does not have. */
export function refuseMethods(routers: readonly Router[]): RequestHandler {
  const find = findRoutes(routers);
  return ({ path, method }, response, next) => {
    const methods = new Set(find(path).flatMap(({ stack }) => stack.map((handler) => handler.method.toUpperCase())));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0 || methods.has(method)) return next();
    response.set('Allow', [...methods].sort().join(', '));
    next({ status: 405 });
  };
}

/** Redirects an address with capitals to the page; ids keep their capitals. */
export function redirectToLowerCase(routers: readonly Router[]): RequestHandler {
  const find = findRoutes(routers);
  return ({ path, url, method }, response, next) => {
    if (method !== 'GET' && method !== 'HEAD') return next();
    const small = path.toLowerCase();
    const isFixed = find(small).some((route) => !String(route.path).includes(':'));
    const to = isFixed ? small : path.replace(/^\/[^/]*/, (first) => first.toLowerCase());
    if (to === path || find(to).length === 0) return next();
    response.redirect(301, to + url.slice(path.length));
  };
}

/** The routes of a router, including nested ones. */
function listRoutes({ stack }: Router): Layer[] {
  return stack.flatMap((layer) => {
    if (layer.route) return [layer as Layer];
    const { handle } = layer;
    return 'stack' in handle ? listRoutes(handle as unknown as Router) : [];
  });
}
