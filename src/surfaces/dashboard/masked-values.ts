import { z } from 'zod'
import type { Endpoint } from '../../http/endpoint.ts'
import { QueryBoolean } from '../../kernel/shapes.ts'

/** The text in place of a value that the dashboard does not show. */
const MASKED_VALUE = '••••'

const RevealQuery = z.object({
  reveal: QueryBoolean.default(false).describe(
    'If `true`, the answer shows the values. Needs write permission.',
  ),
})

/**
 * Returns an endpoint of the dashboard. If its answer has values of server-side strings or remote settings, they are
 * masked unless a GET has `reveal=true`, which needs write permission and is audited (decision 174).
 */
export function withMaskedValues(endpoint: Endpoint): Endpoint {
  if (!endpoint.hasValues) return endpoint
  const { handle } = endpoint
  if (endpoint.method !== 'GET')
    return { ...endpoint, handle: async (call) => maskValues(await handle(call)) }
  return {
    ...endpoint,
    query: (endpoint.query ?? z.object({})).extend(RevealQuery.shape),
    reveals: { if_query: 'reveal' },
    async handle(call) {
      const { reveal, ...query } = call.query as z.output<typeof RevealQuery>
      const result = await handle({ ...call, query })
      return reveal ? result : maskValues(result)
    },
  }
}

/** Masks the values in the records of an answer. */
const maskValues = (result: unknown): unknown =>
  Object.fromEntries(
    Object.entries(result as object).map(([name, part]) => [
      name,
      Array.isArray(part) ? part.map(maskRecord) : maskRecord(part),
    ]),
  )

function maskRecord(record: unknown): unknown {
  if (record === null || typeof record !== 'object') return record
  const { value, default_value } = record as { value?: unknown; default_value?: unknown }
  return {
    ...record,
    ...(value !== undefined && { value: MASKED_VALUE }),
    // Null is no value.
    ...(default_value != null && { default_value: MASKED_VALUE }),
  }
}
