import { Readable } from 'node:stream'
import { type App, storeContextOf } from '../../app.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { isAudited } from '../../http/audit-call.ts'
import type { Endpoint, EndpointCall } from '../../http/endpoint.ts'
import { handleAudited } from '../../http/mount.ts'
import { iso } from '../../kernel/time.ts'
import type { Store } from '../../store-context.ts'
import { securityEndpoints } from '../../surfaces/security-api.ts'
import { storeEndpoints } from '../../surfaces/store-api.ts'

/** The input of an operation, as callers of the API send it. */
export interface OperationInput {
  params?: Record<string, string | number>
  query?: Record<string, string>
  /** The JSON body, or the form fields beside a file. */
  body?: object
  file?: { name: string; bytes: Buffer }
}

/** Runs an operation of the API by its id, at a time of the store's clock. */
type Operate = <Answer>(operation: string, input: OperationInput, moment: number) => Promise<Answer>

const OPERATIONS: ReadonlyMap<string, Endpoint> = new Map(
  [...storeEndpoints, ...securityEndpoints].map((endpoint) => [endpoint.id, endpoint]),
)

const PERMISSIONS: ReadonlySet<string> = new Set(
  [...OPERATIONS.values()].map(({ permission }) => permission),
)

const CALLER = {
  key_id: null,
  user_id: null,
  permissions: PERMISSIONS,
  rate_limit: 0,
  monthly_used: 0,
  ip: '127.0.0.1',
}

type AnyCall = EndpointCall<unknown, unknown, unknown, unknown>

/**
 * Returns a function that runs operations of a store without HTTP. Shapes, use cases and audit events are
 * those of the API, but the time is an argument.
 */
export function openOperations(app: App, store: Store): Operate {
  return async <Answer>(operation: string, input: OperationInput, moment: number) => {
    const endpoint = OPERATIONS.get(operation)
    if (!endpoint) throw new Error(`There is no operation ${operation}.`)
    const now = iso(moment)
    const request = readInput(endpoint, input)
    const { storage } = app
    const bytes = input.file?.bytes
    const receivedFile = bytes && (await storage.receive(Readable.from([bytes]), bytes.length))
    const file = receivedFile && {
      ...receivedFile,
      name: input.file?.name ?? '',
      mime_type: 'application/octet-stream',
    }
    const callOn = (tx: Tx | App['db'], prepared: unknown): AnyCall => ({
      context: storeContextOf(app, store, tx, now),
      caller: CALLER,
      ...request,
      ...(file && { file }),
      prepared,
      version: undefined,
    })
    try {
      const prepared = await endpoint.prepare?.(
        callOn(app.db, undefined) as Parameters<typeof endpoint.prepare>[0],
        app,
        new AbortController().signal,
      )
      const answer = isAudited(endpoint, request.query)
        ? await inTransaction(app.db, (tx) => handleAudited(endpoint, tx, callOn(tx, prepared)))
        : await endpoint.handle(callOn(app.db, prepared))
      const finished = await endpoint.finish?.(callOn(app.db, prepared), answer)
      return (finished ?? answer) as Answer
    } finally {
      if (receivedFile) await storage.discard(receivedFile)
    }
  }
}

function readInput(
  endpoint: Endpoint,
  { params = {}, query = {}, body = {}, file }: OperationInput,
) {
  const path = Object.fromEntries(Object.entries(params).map(([name, id]) => [name, String(id)]))
  return {
    params: endpoint.params?.parse(path),
    query: endpoint.query?.parse(query),
    body: (file ? endpoint.upload?.form : endpoint.body)?.parse(body),
  }
}
