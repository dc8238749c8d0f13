import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** The options of compressed routes. Only answers without secrets are compressed (decision 241). */
export const COMPRESSED = {
  global: false,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  threshold: 1024,
}

/** Enables compression for routes of this scope. Request bodies are not decompressed. */
export const allowCompression = async (scope: FastifyInstance) => {
  await scope.register(compress, { ...COMPRESSED, globalDecompression: false })
}
