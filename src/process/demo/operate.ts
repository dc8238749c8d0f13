import { Readable } from 'node:stream'
import { type App, storeContextOf } from '../../app.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { isAudited } from '../../http/audit-call.ts'
import type { Call, Endpoint } from '../../http/endpoint.ts'
import { handleAudited } from '../../http/mount.ts'
import { iso } from '../../kernel/time.ts'
import type { Store } from '../../store-context.ts'
import { securityEndpoints } from '../../surfaces/security-api.ts'
import { storeEndpoints } from '../../surfaces/store-api.ts'

/** The input of an operation, as callers of the API send it. */
export interface OperationInput {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: object
  /** An uploaded file, which replaces the body. */
  file?: { name: string; bytes: Buffer }
}

/** Runs an operation of the API by its id, at a moment of the store's clock. */
export type Operate = <Answer>(
  operation: string,
  input: OperationInput,
  moment: number,
) => Promise<Answer>

const OPERATIONS: ReadonlyMap<string, Endpoint> = new Map(
  [...storeEndpoints, ...securityEndpoints].map((e) => [e.id, e]),
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

type AnyCall = Call<unknown, unknown, unknown, unknown>

/**
 * The operations of a store, without HTTP: the shapes, the use case and its audit event are those of
 * the API, and only the moment is given (decision 315).
 */
export function openOperations(app: App, store: Store): Operate {
  return async <Answer>(operation: string, input: OperationInput, moment: number) => {
    const e = OPERATIONS.get(operation)
    if (!e) throw new Error(`There is no operation ${operation}.`)
    const now = iso(moment)
    const request = readInput(e, input)
    const { storage } = app
    const bytes = input.file?.bytes
    const received = bytes && (await storage.receive(Readable.from([bytes]), bytes.length))
    const file = received && {
      ...received,
      name: input.file?.name ?? '',
      mime_type: 'application/octet-stream',
    }
    const callOn = (tx: Tx | App['db'], asked: unknown): AnyCall => ({
      context: storeContextOf(app, store, tx, now),
      caller: CALLER,
      ...request,
      ...(file && { file }),
      asked,
      version: undefined,
    })
    try {
      const asked = await e.ask?.(callOn(app.db, undefined) as Parameters<typeof e.ask>[0], app)
      const answer = isAudited(e, request.query)
        ? await inTransaction(app.db, (tx) => handleAudited(e, tx, callOn(tx, asked)))
        : await e.handle(callOn(app.db, asked))
      return answer as Answer
    } finally {
      if (received) await storage.discard(received)
    }
  }
}

function readInput(e: Endpoint, { params = {}, query = {}, body = {}, file }: OperationInput) {
  const path = Object.fromEntries(Object.entries(params).map(([name, id]) => [name, String(id)]))
  return {
    params: e.params?.parse(path),
    query: e.query?.parse(query),
    body: (file ? e.upload?.form : e.body)?.parse(file ? {} : body),
  }
}
