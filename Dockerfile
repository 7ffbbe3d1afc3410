ARG NODE_TAG=24.11.1-slim

FROM node:${NODE_TAG} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# `npm prune --omit=dev` keeps test tools that a library names as optional. Without devDependencies in package.json nothing needs them.
RUN npm run build && npm pkg delete devDependencies && npm prune --no-audit --no-fund \
  && test ! -e node_modules/vitest && test ! -e node_modules/esbuild

FROM node:${NODE_TAG}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# The data folder must belong to the user before a volume is first mounted there. `cli` runs an operator's command.
RUN mkdir /data && chown node:node /data \
  && printf '#!/bin/sh\nexec node /app/dist/jobs/cli/main.js "$@"\n' > /usr/local/bin/cli && chmod 755 /usr/local/bin/cli
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 8080
# Both processes by default; docker-compose.yml runs each in its own container.
CMD ["node", "dist/jobs/start.js"]
# The jobs process answers once it has migrated and checked both databases, which takes minutes after an upgrade of large ones.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15m \
  CMD ["node", "-e", "const {PRIVATE_PORT: api = 9090, JOBS_PRIVATE_PORT: jobs = 9091} = process.env; const ask = (port) => fetch('http://127.0.0.1:' + port + '/healthz').then((answer) => { if (!answer.ok) throw answer.status; }); Promise.all([api, jobs].map(ask)).then(() => process.exit(0), () => process.exit(1))"]
