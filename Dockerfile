# Native modules are built with a compiler where no binary of theirs can be fetched; the image that runs has none.
FROM node:24-trixie AS dependencies
WORKDIR /mortise
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY core-plugins/panel/admin-panel/app/package.json core-plugins/panel/admin-panel/app/
# npm runs them when it is done.
COPY build/after-install.mjs build/
COPY launch/prune.mjs launch/
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# Translates the sources and builds the panel, which runs in browsers: what it is made of is not needed any more.
RUN node launch/prepare.mjs && npm prune --omit=dev --workspaces=false --no-audit --no-fund

FROM node:24-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2102
WORKDIR /mortise
COPY --from=dependencies --chown=node:node /mortise/node_modules ./node_modules
COPY --chown=node:node . .
# Owned by the user that runs, since a volume mounted here takes over the owner.
RUN mkdir -p data uploads && chown node:node . data uploads
USER node
EXPOSE 2102
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${process.env.SVC_API_PREFIX || '/api'}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not npm: the signal to stop has to reach the service itself.
CMD ["node", "launch/start.mjs"]
