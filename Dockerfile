# The native modules are built with a compiler, which the image that runs does without.
FROM node:20-bookworm AS dependencies
WORKDIR /mortise
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2102
WORKDIR /mortise
COPY --from=dependencies --chown=node:node /mortise/node_modules ./node_modules
COPY --chown=node:node package.json package-lock.json server.ts service.ts tsconfig.json ./
COPY --chown=node:node kernel ./kernel
COPY --chown=node:node core-plugins ./core-plugins
COPY --chown=node:node launch ./launch
COPY --chown=node:node cli ./cli
COPY --chown=node:node plugins ./plugins
COPY --chown=node:node schemas ./schemas
# Owned by the user that runs, since a volume mounted here takes over the owner.
RUN mkdir -p data uploads && chown node:node . data uploads
USER node
EXPOSE 2102
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${process.env.SVC_API_PREFIX || '/api'}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "launch/start.mjs"]
