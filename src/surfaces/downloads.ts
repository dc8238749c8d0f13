import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { openDownload, openExport, openMedia } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'
import { sendFile, sendLines } from './send-file.ts'

/** A changed picture has a new name, so the content of a name never changes. */
const PICTURE_CACHE = 'public, max-age=31536000, immutable'

/** Mounts the downloads that need no API key: signed links and product pictures. */
export function mountDownloads(server: FastifyInstance, app: App) {
  server.get(
    '/files/:link',
    async (request: DownloadRequest<{ link: string }>, reply: FastifyReply) => {
      const download = await openDownload(app, request.params.link)
      if (!download) throw notFound('The file')
      return sendFile(request, reply, download)
    },
  )
  server.get(
    '/key-exports/:link',
    async (request: DownloadRequest<{ link: string }>, reply: FastifyReply) => {
      const download = await openExport(app, request.params.link, {
        address: request.ip,
        request_id: request.id,
      })
      if (!download) throw notFound('The export')
      return sendLines(reply, download)
    },
  )
  server.get(
    '/media/:name',
    async (request: DownloadRequest<{ name: string }>, reply: FastifyReply) => {
      const media = openMedia(app, request.params.name)
      if (!media) throw notFound('The picture')
      return sendFile(request, reply, { ...media, cache: PICTURE_CACHE })
    },
  )
}

type DownloadRequest<P> = FastifyRequest<{ Params: P }>
