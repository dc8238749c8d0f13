import { randomBytes } from 'node:crypto'
import { type App, storeContextOf } from '../../app.ts'
import {
  clientEndpoints,
  createUsageLog,
  findSession,
  type LiveSession,
} from '../../features/licensing/index.ts'
import type { ClientCall, ClientEndpoint } from '../../http/client-endpoint.ts'
import { iso } from '../../kernel/time.ts'
import type { Store } from '../../store-context.ts'

/** A call of a client program. */
interface DemoProgramCall {
  operation: string
  app: { id: number; public_id: string }
  ip: string
  /** The session token; undefined for the start of a session. */
  token?: string
  params?: Record<string, string>
  body?: object
}

export interface Programs {
  /** Runs an operation of client programs by its id, at a time of the store's clock. */
  run<Answer = unknown>(call: DemoProgramCall, moment: number): Promise<Answer>
  /** Saves the numbers of uses and reads since the previous call. */
  saveUses(): Promise<void>
}

type AnyCall = ClientCall<unknown, unknown, unknown, LiveSession | undefined>

const NONCE_BYTES = 16
const OPERATIONS: ReadonlyMap<string, ClientEndpoint> = new Map(
  clientEndpoints.map((endpoint) => [endpoint.id, endpoint]),
)

/**
 * Runs operations of client programs without HTTP, as `openOperations` runs those of the management API. The
 * programs have no rate limits, and their devices have no keys, so no call needs a proof.
 */
export function openPrograms(app: App, store: Store): Programs {
  const uses = createUsageLog()
  return {
    async run<Answer>(
      { operation, app: calledApp, ip, token, params, body }: DemoProgramCall,
      moment: number,
    ) {
      const endpoint = OPERATIONS.get(operation)
      if (!endpoint) throw new Error(`Client programs have no operation ${operation}.`)
      const now = iso(moment)
      const origin = {
        actor: { type: endpoint.acts_as ?? 'customer', id: null, name: null },
        address: ip,
        request_id: null,
      } as const
      const call: AnyCall = {
        context: storeContextOf({ ...app, origin }, store, app.db, now),
        app: calledApp,
        ip,
        nonce: randomBytes(NONCE_BYTES).toString('base64url'),
        session: undefined,
        params: endpoint.params?.parse(params),
        query: undefined,
        body: endpoint.body?.parse(body),
        ifNoneMatch: undefined,
        rangeHeaders: {},
        countUnknownKey: async () => {},
        countUnknownToken: async () => {},
        countSessionCall: async () => {},
        countUse: (kind, id) => uses.add(kind, { store_id: store.id, id, at: now }),
        countRead(kind, record_id, session) {
          const { key_id, device_id = null } = session ?? {}
          // The key id 0 stands for a session without a license key.
          const read = { store_id: store.id, kind, record_id, key_id: key_id ?? 0 }
          uses.addRead({ ...read, device_id, at: now })
        },
        setHeader() {},
      }
      const request = { method: endpoint.method, path: '', body: undefined, proof: undefined }
      const session =
        token === undefined
          ? undefined
          : await findSession(call, { ...request, token }, { proof: endpoint.proof ?? 'checked' })
      return (await endpoint.handle({ ...call, session })) as Answer
    },
    saveUses: () => uses.flush(app.db),
  }
}
