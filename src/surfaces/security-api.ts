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
import type { DownloadEndpoint } from '../http/openapi/print-security.ts'
import { RecordPath } from '../kernel/client-shapes.ts'
import { type Refusal, sentenceOf } from '../kernel/errors.ts'
import { mountContent } from './mount-content.ts'

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
export const securityDownloads: readonly DownloadEndpoint[] = [
  {
    id: 'serverside_files.download',
    path: CONTENT_PATH,
    permission: 'client_security:read',
    summary: 'Get the bytes of a file, or a part of them.',
    params: RecordPath,
  },
]

interface MountedPart {
  endpoints: readonly Endpoint[]
  render: Surface['render']
}

/** Mounts the management half of the Client Security API (specification, "Client Security API"). */
export function mountSecurityApi(
  server: FastifyInstance,
  app: App,
  authenticate: Surface['authenticate'],
  { endpoints = securityEndpoints, render = renderSecurityRefusal }: Partial<MountedPart> = {},
) {
  mount(
    server,
    {
      app,
      idempotency: createIdempotency(app.vault),
      ownRoutes: [{ method: 'GET', path: CONTENT_PATH }],
      max_upload_bytes: app.config.maxFileBytes,
      authenticate,
      render,
    },
    endpoints,
  )
  mountContent(
    server,
    { app, authenticate },
    {
      path: CONTENT_PATH,
      params: RecordPath,
      endpoint: fileEndpoints.find((item) => item.id === 'serverside_files.get'),
      read: (context, { id }, headers) => downloadFile(context, id, headers),
    },
  )
}

/** Renders only `success` and `error`, because programs branch on the status (decision 9). */
export function renderSecurityRefusal(error: Refusal): Answer {
  const status = statusOf(error)
  return {
    status,
    body: JSON.stringify({ success: false, error: sentenceOf(error) }),
    headers: { ...error.headers, ...(status === 401 && { 'www-authenticate': 'Bearer' }) },
  }
}

/** Returns 409 for a name that is taken and for a reused idempotency key, although their codes have 422. */
function statusOf({ code, details, status }: Refusal): number {
  return code === 'IDEMPOTENCY_KEY_REUSED' || details?.reason === 'taken' ? 409 : status
}
