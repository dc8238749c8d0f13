import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { auditEndpoints } from '../features/installation/index.ts'
import {
  appEndpoints,
  deviceBanEndpoints,
  downloadFile,
  fileEndpoints,
  keyDeviceEndpoints,
  licenseKeyEndpoints,
  policyEndpoints,
  reportEndpoints,
  settingEndpoints,
  stringEndpoints,
} from '../features/licensing/index.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { type Answer, createIdempotency } from '../http/idempotency.ts'
import { mount, type Surface } from '../http/mount.ts'
import { nameMissing } from '../http/name-missing.rules.ts'
import type { Download } from '../http/openapi/print-security.ts'
import { RecordPath } from '../kernel/client-shapes.ts'
import { notFound, type Refusal } from '../kernel/errors.ts'
import { PathId } from '../kernel/shapes.ts'

export const SECURITY_PREFIX = '/security/v1'
const CONTENT_PATH = '/serverside-files/:id/content'

/** All endpoints of the management half of the Client Security API. */
export const securityEndpoints: readonly Endpoint[] = [
  ...appEndpoints,
  ...stringEndpoints,
  ...fileEndpoints,
  ...settingEndpoints,
  ...licenseKeyEndpoints,
  ...keyDeviceEndpoints,
  ...policyEndpoints,
  ...deviceBanEndpoints,
  ...reportEndpoints,
  ...auditEndpoints,
]

/** The only non-JSON answer of the management half: the bytes of a server-side file. */
export const securityDownloads: readonly Download[] = [
  {
    id: 'serverside_files.download',
    path: CONTENT_PATH,
    permission: 'client_security:read',
    summary: 'Get the bytes of a file, or a part of them.',
    params: RecordPath,
  },
]

/** The management half of the Client Security API (specification, "Client Security API"). */
export function mountSecurityApi(
  server: FastifyInstance,
  app: App,
  authenticate: Surface['authenticate'],
) {
  mount(
    server,
    {
      app,
      idempotency: createIdempotency(app.vault),
      beside: [{ method: 'GET', path: CONTENT_PATH }],
      max_upload_bytes: app.config.maxFileBytes,
      authenticate,
      render: renderSecurityRefusal,
    },
    securityEndpoints,
  )
  mountContent(server, app, authenticate)
}

/** The bytes of a server-side file for its seller, the only non-JSON answer of this API. */
function mountContent(server: FastifyInstance, app: App, authenticate: Surface['authenticate']) {
  const e = fileEndpoints.find((item) => item.id === 'serverside_files.get')
  if (!e) throw new Error('The endpoint of server-side files is missing.')
  server.get<{ Params: { id: string } }>(CONTENT_PATH, async (request, reply) => {
    const authenticated = await authenticate(request, reply, e)
    const id = PathId.safeParse(request.params.id)
    const refuse = (error: unknown) => nameMissing(error, CONTENT_PATH, request.params)
    if (!id.success) throw refuse(notFound('File'))
    const context = authenticated.contextOn(app.db)
    const download = downloadFile(context, id.data, request.headers)
    const { status, headers, body } = await download.catch((error) => {
      throw refuse(error)
    })
    return reply.code(status).headers(headers).send(body)
  })
}

/** Exactly `success` and `error`; programs branch on the status (decision 9). */
export function renderSecurityRefusal(error: Refusal): Answer {
  const status = statusOf(error)
  return {
    status,
    body: JSON.stringify({ success: false, error: textOf(error) }),
    headers: { ...error.headers, ...(status === 401 && { 'www-authenticate': 'Bearer' }) },
  }
}

function textOf({ message, details }: Refusal): string {
  const field = details?.field
  return typeof field === 'string' && field ? `${field}: ${message}` : message
}

/** A taken name and a reused idempotency key are conflicts. */
function statusOf({ code, details, status }: Refusal): number {
  return code === 'IDEMPOTENCY_KEY_REUSED' || details?.reason === 'taken' ? 409 : status
}
