import { z } from 'zod'
import { clientEndpointsOf, RawAnswer } from '../../../http/client-endpoint.ts'
import { HandleName, Message } from '../../../kernel/client-shapes.ts'
import { knowsTag } from '../../../kernel/etag.ts'
import { DateTime, PathId } from '../../../kernel/shapes.ts'
import type { LiveSession } from './call.ts'
import { fetchContent, showManifest } from './fetch-file.ts'
import { heartbeat } from './heartbeat.ts'
import { deactivate, freeOwnDevice, leave, listOwnDevices } from './leave.ts'
import { ownLicenseFile } from './own-license-file.ts'
import { readSettings } from './read-settings.ts'
import { readString } from './read-string.ts'
import { report } from './report.ts'
import { Answered, NewSession, OwnDevice, OwnFile, Report, Validation } from './schema.ts'
import { showKeySet } from './show-key-set.ts'
import { startSession } from './start-session.ts'
import { validateLicense } from './validate-license.ts'

const clientEndpoint = clientEndpointsOf<LiveSession>()

const PublicKey = z.object({
  kid: z.string().describe('Its name.'),
  alg: z.literal('Ed25519').describe('Always `Ed25519`.'),
  public_key: z.string().describe('The raw 32 bytes, base64url without padding.'),
  not_before: DateTime.describe('It signs from then on.'),
  not_after: DateTime.nullable().describe('It is trusted until then.'),
})

const ByName = z.object({ name: HandleName.describe('Its name.') })

export const clientEndpoints = [
  clientEndpoint({
    id: 'client.key_set',
    method: 'GET',
    path: '/key-set',
    summary: 'The public keys, now and next.',
    session: 'none',
    nonce: false,
    response: z.object({
      keys: z.array(PublicKey).describe('The oldest first.'),
      signature: z
        .object({
          kid: z.string().describe('The oldest key that is trusted still.'),
          v1: z.string().describe('Over the text of `keys`.'),
        })
        .describe('Proves the set to who pinned that key.'),
    }),
    handle: (call) => showKeySet(call),
  }),
  clientEndpoint({
    id: 'client.start_session',
    method: 'POST',
    path: '/sessions',
    summary: 'Check a license, activate the device, take a seat.',
    session: 'none',
    nonce: true,
    limit: 'session_starts',
    body: NewSession,
    example: {
      license_key: '7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG',
      device: { fingerprint: 'a1b2c3d4e5f60718' },
      app_version: '1.4.2',
    },
    response: Answered,
    handle: (call) => startSession(call, call.body),
  }),
  clientEndpoint({
    id: 'client.heartbeat',
    method: 'POST',
    path: '/sessions/heartbeat',
    summary: 'Extend the lease.',
    session: 'required',
    proof: 'handed',
    nonce: true,
    limit: 'session_calls',
    response: Answered,
    handle: (call) => heartbeat(call, call.session),
  }),
  clientEndpoint({
    id: 'client.end_session',
    method: 'DELETE',
    path: '/sessions/current',
    summary: 'Free the seat.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    response: z.object({ message: Message }),
    handle: async (call) => {
      await leave(call, call.session)
      return { message: 'The session has ended.' }
    },
  }),
  clientEndpoint({
    id: 'client.validate',
    method: 'POST',
    path: '/validate',
    summary: 'Check a license, and change nothing.',
    session: 'none',
    nonce: true,
    limit: 'validations',
    body: Validation,
    example: { license_key: '7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG' },
    response: Answered,
    handle: (call) => validateLicense(call, call.body),
  }),
  clientEndpoint({
    id: 'client.deactivate',
    method: 'POST',
    path: '/deactivate',
    summary: 'Free this device.',
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
    summary: 'The devices of the license.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    response: z.object({ devices: z.array(OwnDevice).describe('The newest first.') }),
    handle: (call) => listOwnDevices(call, call.session),
  }),
  clientEndpoint({
    id: 'client.free_device',
    method: 'DELETE',
    path: '/devices/:id',
    summary: 'Free a device of the license, such as one that was lost.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: z.object({ id: PathId.describe('The device.') }),
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
    summary: 'One server-side string.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: ByName,
    response: z.object({
      string: z
        .object({
          name: z.string().describe('Its name.'),
          value: z.string().describe('Exactly as the seller wrote it.'),
          version: z.int().describe('Raised by every change.'),
        })
        .describe('The string.'),
    }),
    handle: async (call) => ({ string: await readString(call, call.session, call.params.name) }),
  }),
  clientEndpoint({
    id: 'client.show_file',
    method: 'GET',
    path: '/files/:name',
    summary: 'What a file is, and a grant to fetch its bytes.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    params: ByName,
    response: z.object({
      file: z
        .object({
          name: z.string().describe('Its name.'),
          version: z.int().describe('Raised by every change.'),
          size_bytes: z.int().describe('How many bytes it has.'),
          sha256: z.string().describe('The SHA-256 of its bytes, in hex.'),
          content_type: z.string().describe('What it is.'),
        })
        .describe('The file.'),
      grant: z.string().describe('Fetches this version, in as many ranges as it takes.'),
      grant_expires_at: DateTime.describe('When the grant is over.'),
    }),
    handle: (call) => showManifest(call, call.session, call.params.name),
  }),
  clientEndpoint({
    id: 'client.fetch_file',
    method: 'GET',
    path: '/files/:name/content',
    summary: 'The bytes of a file, or a range of them.',
    session: 'none',
    nonce: true,
    answers: 'bytes',
    limit: 'by grant',
    params: ByName,
    query: z.object({
      grant: z.string().max(200).default('').describe('What the manifest of R8 gave.'),
    }),
    response: z.object({}),
    handle: async (call) => {
      const wanted = { ...call.params, ...call.query, asked: call.asked }
      const { status, headers, body, sha256 } = await fetchContent(call, wanted)
      return new RawAnswer(status, headers, body, sha256)
    },
  }),
  clientEndpoint({
    id: 'client.read_settings',
    method: 'GET',
    path: '/settings',
    summary: 'All settings that the caller may see.',
    session: 'optional',
    answers: 'unless known',
    nonce: true,
    limit: 'session_calls',
    response: z.object({
      settings: z.record(z.string(), z.unknown()).describe('Values by their keys.'),
      config_version: z.int().describe('Raised by every change of a setting.'),
    }),
    handle: async (call) => {
      const { etag, ...answer } = await readSettings(call, call.session)
      if (knowsTag(call.ifNoneMatch, etag)) return new RawAnswer(304, { etag })
      call.setHeader('etag', etag)
      return answer
    },
  }),
  clientEndpoint({
    id: 'client.report',
    method: 'POST',
    path: '/reports',
    summary: 'Tell of an attempt to cheat.',
    acts_as: 'system',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    body: Report,
    example: { kind: 'debugger', detail: 'A debugger was attached.' },
    status: 201,
    response: z.object({ message: Message }),
    handle: async (call) => {
      await report(call, call.session, call.body)
      return { message: 'The report was kept.' }
    },
  }),
  clientEndpoint({
    id: 'client.issue_file',
    method: 'POST',
    path: '/license-files',
    summary: 'An offline license for this device.',
    session: 'required',
    nonce: true,
    limit: 'session_calls',
    body: OwnFile,
    example: { fingerprint: 'a1b2c3d4e5f60718', ttl_seconds: 604_800 },
    status: 201,
    response: z.object({
      license_file: z.string().describe('Three parts of base64url with dots between.'),
      expires_at: DateTime.describe('When it is good no more.'),
    }),
    handle: (call) => ownLicenseFile(call, call.session, call.body),
  }),
]
