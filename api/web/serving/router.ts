import { type RequestHandler, Router } from 'express';

/** A router's own way of telling whether a path is one of a route's, which its types leave out. */
type Layer = Router['stack'][number] & { match(path: string): boolean };

/** The one kind of router that pages have: an address is written in one way. */
export function makeRouter(): Router {
  return Router({ caseSensitive: true });
}

/** Finds the routes of some routers that a path is one of. */
export function findRoutes(routers: readonly Router[]): (path: string) => NonNullable<Layer['route']>[] {
  const layers = routers.flatMap(listRoutes);
  return (path) => layers.filter((layer) => layer.match(path)).flatMap(({ route }) => (route ? [route] : []));
}

/** Refuses with 405 and `Allow` what an address of these routes does not answer to; lets everything else go on. */
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

/** Leads from an address in capitals to the page; what is part of an id stays as it came. */
export function leadToSmallLetters(routers: readonly Router[]): RequestHandler {
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

/** The routes of a router, and of those that it uses. */
function listRoutes({ stack }: Router): Layer[] {
  return stack.flatMap((layer) => {
    if (layer.route) return [layer as Layer];
    const { handle } = layer;
    return 'stack' in handle ? listRoutes(handle as unknown as Router) : [];
  });
}
