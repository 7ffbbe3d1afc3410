import type { RequestHandler, Router } from 'express';

/** A router's own way of telling whether a path is one of a route's, which its types leave out. */
type Layer = Router['stack'][number] & { match(path: string): boolean };

/** Refuses with 405 and `Allow` what an address of these routes does not answer to; lets everything else go on. */
export function refuseMethods(routers: readonly Router[]): RequestHandler {
  const layers = routers.flatMap(listRoutes);
  return ({ path, method }, response, next) => {
    const matching = layers.filter((layer) => layer.match(path)).flatMap(({ route }) => route?.stack ?? []);
    const methods = new Set(matching.map((handler) => handler.method.toUpperCase()));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0 || methods.has(method)) return next();
    response.set('Allow', [...methods].sort().join(', '));
    next({ status: 405 });
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
