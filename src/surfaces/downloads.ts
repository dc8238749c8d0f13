import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { openDownload, openExport, openMedia } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'
import { sendFile, sendLines } from './send-file.ts'

/** A changed picture gets a new name, so the content of a name never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Files that need no API key: signed links, and product pictures. */
export function mountDownloads(server: FastifyInstance, app: App) {
  server.get('/files/:link', async (request: Asked<{ link: string }>, reply: FastifyReply) => {
    const download = await openDownload(app, request.params.link)
    if (!download) throw notFound('The file')
    return sendFile(request, reply, download)
  })
  server.get(
    '/key-exports/:link',
    async (request: Asked<{ link: string }>, reply: FastifyReply) => {
      const found = await openExport(app, request.params.link, {
        address: request.ip,
        request_id: request.id,
      })
      if (!found) throw notFound('The export')
      return sendLines(reply, found)
    },
  )
  server.get('/media/:name', async (request: Asked<{ name: string }>, reply: FastifyReply) => {
    const media = openMedia(app, request.params.name)
    if (!media) throw notFound('The picture')
    return sendFile(request, reply, { ...media, cache: FOR_EVER })
  })
}

type Asked<P> = FastifyRequest<{ Params: P }>
