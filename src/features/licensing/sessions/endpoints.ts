import { z } from 'zod'
import { clientEndpointsOf, RawAnswer } from '../../../http/client-endpoint.ts'
import { HandleName, Message } from '../../../kernel/client-shapes.ts'
import { matchesTag } from '../../../kernel/etag.ts'
import { DateTime, PathId } from '../../../kernel/shapes.ts'
import { PublicKey } from '../apps/index.ts'
import { LicenseFile } from '../keys/index.ts'
import { activate } from './activate.ts'
import type { LiveSession } from './call.ts'
import { fetchContent, showFileAndGrant } from './fetch-file.ts'
import { heartbeat } from './heartbeat.ts'
import { deactivate, endOwnSession, freeOwnDevice, listOwnDevices } from './own-devices.ts'
import { ownLicenseFile } from './own-license-file.ts'
import { readSettings } from './read-settings.ts'
import { readString } from './read-string.ts'
import { saveReport } from './report.ts'
import {
  LicenseAnswer,
  NewClientReport,
  NewSession,
  OwnDevice,
  OwnFile,
  Validation,
} from './schema.ts'
import { showKeySet } from './show-key-set.ts'
import { validateLicense } from './validate-license.ts'

const clientEndpoint = clientEndpointsOf<LiveSession>()

const NamePath = z.object({ name: HandleName.describe('The name.') })

export const clientEndpoints = [
  clientEndpoint({
    id: 'client.key_set',
    method: 'GET',
    path: '/key-set',
    summary: 'List the current and the next public keys.',
    session: 'none',
    nonce: false,
    response: z.object({
      keys: z.array(PublicKey).describe('The public keys, oldest first.'),
      signature: z
        .object({
          kid: z.string().describe('The id of the oldest key that is still trusted.'),
          v1: z.string().describe('The signature of `keys`.'),
        })
        .describe('A signature by which programs that have pinned this key verify the key set.'),
    }),
    handle: showKeySet,
  }),
  clientEndpoint({
    id: 'client.start_session',
    method: 'POST',
    path: '/sessions',
    summary: 'Evaluate a license, activate the device and start a session.',
    session: 'none',
    nonce: true,
    limit: 'session_starts',
    body: NewSession,
    example: {
      license_key: '7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG',
      device: { fingerprint: 'a1b2c3d4e5f60718' },
      app_version: '1.4.2',
    },
    response: LicenseAnswer,
    handle: (call) => activate(call, call.body),
  }),
  clientEndpoint({
    id: 'client.heartbeat',
    method: 'POST',
    path: '/sessions/heartbeat',
    summary: 'Extend the lease of the session and get the status of the license.',
    session: 'required',
    proof: 'deferred',
    nonce: true,
    limit: 'session_calls',
    response: LicenseAnswer,
    handle: (call) => heartbeat(call, call.session),
  }),
  clientEndpoint({
    id: 'client.end_session',
    method: 'DELETE',
    path: '/sessions/current',
    summary: 'End the session.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    response: z.object({ message: Message }),
    handle: async (call) => {
      await endOwnSession(call, call.session)
      return { message: 'The session has ended.' }
    },
  }),
  clientEndpoint({
    id: 'client.validate',
    method: 'POST',
    path: '/validate',
    summary: 'Evaluate a license without changing anything.',
    session: 'none',
    nonce: true,
    limit: 'validations',
    body: Validation,
    example: { license_key: '7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG' },
    response: LicenseAnswer,
    handle: (call) => validateLicense(call, call.body),
  }),
  clientEndpoint({
    id: 'client.deactivate',
    method: 'POST',
    path: '/deactivate',
    summary: 'Remove this device from the license, so that another device can use it.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    response: z.object({ message: Message }),
    handle: async (call) => {
      await deactivate(call, call.session)
      return { message: 'The device was freed.' }
    },
  }),
  clientEndpoint({
    id: 'client.list_devices',
    method: 'GET',
    path: '/devices',
    summary: 'List the devices of the license.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    response: z.object({ devices: z.array(OwnDevice).describe('The devices, newest first.') }),
    handle: (call) => listOwnDevices(call, call.session),
  }),
  clientEndpoint({
    id: 'client.free_device',
    method: 'DELETE',
    path: '/devices/:id',
    summary: 'Remove another device from the license, such as a lost one.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: z.object({ id: PathId.describe('The device id.') }),
    response: z.object({ message: Message }),
    handle: async (call) => {
      await freeOwnDevice(call, call.session, call.params.id)
      return { message: 'The device was freed.' }
    },
  }),
  clientEndpoint({
    id: 'client.read_string',
    method: 'GET',
    path: '/strings/:name',
    summary: 'Get a server-side string.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: NamePath,
    response: z.object({
      string: z
        .object({
          name: z.string().describe('The name.'),
          value: z.string().describe('The value, exactly as the seller wrote it.'),
          version: z.int().describe('The version. Every change increases it.'),
        })
        .describe('The string.'),
    }),
    handle: async (call) => ({ string: await readString(call, call.session, call.params.name) }),
  }),
  clientEndpoint({
    id: 'client.show_file',
    method: 'GET',
    path: '/files/:name',
    summary: 'Get the metadata of a file and a grant to fetch its bytes.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: NamePath,
    response: z.object({
      file: z
        .object({
          name: z.string().describe('The name.'),
          version: z.int().describe('The version. Every change increases it.'),
          size_bytes: z.int().describe('The size in bytes.'),
          sha256: z.string().describe('The SHA-256 of the bytes, in hex.'),
          content_type: z.string().describe('The content type.'),
        })
        .describe('The file.'),
      grant: z
        .string()
        .describe('The grant to fetch the bytes of this version, in any number of ranges.'),
      grant_expires_at: DateTime.describe('The time when the grant expires.'),
    }),
    handle: (call) => showFileAndGrant(call, call.session, call.params.name),
  }),
  clientEndpoint({
    id: 'client.fetch_file',
    method: 'GET',
    path: '/files/:name/content',
    summary: 'Get the bytes of a file, or a range of them.',
    session: 'none',
    nonce: true,
    answers: 'bytes',
    limit: 'by grant',
    params: NamePath,
    query: z.object({
      grant: z.string().max(200).default('').describe('The grant from the metadata of the file.'),
    }),
    response: z.object({}),
    handle: async (call) => {
      const request = { ...call.params, ...call.query, rangeHeaders: call.rangeHeaders }
      const { status, headers, body, sha256 } = await fetchContent(call, request)
      return new RawAnswer(status, headers, body, sha256)
    },
  }),
  clientEndpoint({
    id: 'client.read_settings',
    method: 'GET',
    path: '/settings',
    summary: 'Get all settings that the caller may read.',
    session: 'optional',
    answers: 'unless unchanged',
    nonce: true,
    limit: 'session_calls',
    response: z.object({
      settings: z.record(z.string(), z.unknown()).describe('The values by key.'),
      config_version: z
        .int()
        .describe('The version of the settings of the app. Every change increases it.'),
    }),
    handle: async (call) => {
      const { etag, ...answer } = await readSettings(call, call.session)
      if (matchesTag(call.ifNoneMatch, etag)) return new RawAnswer(304, { etag })
      call.setHeader('etag', etag)
      return answer
    },
  }),
  clientEndpoint({
    id: 'client.report',
    method: 'POST',
    path: '/reports',
    summary: 'Report an attempt to tamper with the program.',
    acts_as: 'system',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    body: NewClientReport,
    example: { kind: 'debugger', detail: 'A debugger was attached.' },
    status: 201,
    response: z.object({ message: Message }),
    handle: async (call) => {
      await saveReport(call, call.session, call.body)
      return { message: 'The report was saved.' }
    },
  }),
  clientEndpoint({
    id: 'client.issue_file',
    method: 'POST',
    path: '/license-files',
    summary: 'Issue an offline license file for this device.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    body: OwnFile,
    example: { fingerprint: 'a1b2c3d4e5f60718', ttl_seconds: 604_800 },
    status: 201,
    response: LicenseFile,
    handle: (call) => ownLicenseFile(call, call.session, call.body),
  }),
]
