import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** For routes whose answers hold no secret (decision 241). Without it a route is never compressed. */
export const COMPRESSED = {
  global: false,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  threshold: 1024,
}

/** Lets routes of this scope be compressed. Bodies of requests stay as they were sent. */
export const allowCompression = async (scope: FastifyInstance) => {
  await scope.register(compress, { ...COMPRESSED, globalDecompression: false })
}
