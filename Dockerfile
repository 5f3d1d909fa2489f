# Tickmark in a container: docker build -t tickmark . && docker run -p 8080:8080 -v tickmark-data:/data tickmark
# The first stage compiles, the second holds only what runs.
FROM node:22-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Scripts run after the sources are there: "prepare" builds them. SQLite comes with its binary for x64 and arm64.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    TICKMARK_HOST=0.0.0.0 \
    TICKMARK_PORT=8080 \
    TICKMARK_DATABASE_URL=sqlite:/data/tickmark.db \
    TICKMARK_SETUP_CODE_FILE=/data/set-up-code
WORKDIR /tickmark
COPY --from=build /build/package.json /build/LICENSE /build/README.md /build/CHANGELOG.md /build/mcp.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/resources ./resources
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 8080
# Node.js is process 1: "serve" handles SIGTERM itself, and starts no program that it would have to collect.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TICKMARK_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
