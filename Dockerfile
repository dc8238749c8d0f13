# docker build -t tradepost .
# docker run -p 4100:4100 -v tradepost:/data tradepost start --demo
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && node scripts/image-files.mjs /image && mkdir /data

FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /app
COPY --from=build /image /app
# The user of the base image. An empty volume takes the owner of this folder.
COPY --from=build --chown=65532:65532 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4100 DATA_DIR=/data TRADEPOST_METRICS_ADDRESS=0.0.0.0:4101
EXPOSE 4100
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["/nodejs/bin/node", "bin/healthcheck.mjs"]
ENTRYPOINT ["/nodejs/bin/node", "bin/tradepost.mjs"]
CMD ["start"]
