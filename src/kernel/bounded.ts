import { z } from 'zod'

/**
 * Lists and maps in requests. Their size is checked before any element is parsed, and no further
 * elements are parsed once enough problems are found (decision 120).
 */

/** The maximum number of problems that are collected in a request. */
export const PROBLEMS_MAX = 20

interface Bound {
  max: number
  /** The message if the limit is exceeded. */
  error?: string
}

type CheckPayload = z.core.ParsePayload

/** Creates the shape of a list of at most `max` elements. */
export const list = <T extends z.ZodType>(element: T, { max, error }: Bound): z.ZodArray<T> =>
  new BoundedList({ type: 'array', element }).max(max, error) as unknown as z.ZodArray<T>

/**
 * Creates the shape of an object with at most `max` keys that the caller chooses. `keyError` is the
 * message for an invalid key.
 */
export const map = <K extends z.ZodString, V extends z.ZodType>(
  keyType: K,
  valueType: V,
  { max, error, keyError }: Bound & { keyError?: string },
): z.ZodRecord<K, V> =>
  new BoundedMap({
    type: 'record',
    keyType,
    valueType,
    keys_max: max,
    error: ({ code }) =>
      code === 'too_big' ? error : code === 'invalid_key' ? keyError : undefined,
  }) as unknown as z.ZodRecord<K, V>

/** Returns true if a shape is a list or a map without a limit. */
export const isUnbounded = ({ _zod: { def, traits } }: z.core.$ZodType): boolean =>
  (def.type === 'array' && !traits.has('BoundedList')) ||
  (def.type === 'record' && !traits.has('BoundedMap'))

/**
 * A list that stops parsing when enough problems are found. `z.array` refuses a long list early, but
 * collects every problem of a short one.
 */
const BoundedList: z.core.$constructor<z.ZodArray> = z.core.$constructor(
  'BoundedList',
  (inst, def) => {
    z.ZodArray.init(inst, def)
    const { element, checks = [] } = def
    const max = Math.min(...checks.map(({ _zod }) => maximumOf(_zod.def)))
    const { parse } = inst._zod
    inst._zod.parse = (payload, context) => {
      const input = payload.value
      if (!Array.isArray(input) || input.length > max) return parse(payload, context)
      const output: unknown[] = []
      payload.value = output
      for (let index = 0; index < input.length && !hasEnoughIssues(payload); index++) {
        const result = runShape(element, input[index], context)
        payload.issues.push(...z.core.util.prefixIssues(index, result.issues))
        output.push(result.value)
      }
      return limitIssues(payload)
    }
  },
)

const maximumOf = (def: { check?: string; maximum?: number }): number =>
  def.check === 'max_length' && def.maximum !== undefined ? def.maximum : Number.POSITIVE_INFINITY

interface MapDef extends z.core.$ZodRecordDef {
  keys_max: number
}
interface BoundedMapShape extends z.ZodRecord {
  _zod: z.ZodRecord['_zod'] & { def: MapDef }
}

const BoundedMap: z.core.$constructor<BoundedMapShape, MapDef> = z.core.$constructor(
  'BoundedMap',
  (inst, def) => {
    z.ZodRecord.init(inst, def)
    const { keys_max } = def
    const { parse, processJSONSchema } = inst._zod
    inst._zod.parse = (payload, context) => {
      const input = payload.value
      if (input === null || typeof input !== 'object' || sizeOf(input, keys_max) <= keys_max) {
        const result = parse(payload, context)
        return result instanceof Promise ? result : limitIssues(result)
      }
      const issue = { code: 'too_big' as const, origin: 'record' as const, maximum: keys_max }
      payload.issues.push({ ...issue, inclusive: true, input, inst, continue: false })
      return payload
    }
    inst._zod.processJSONSchema = (context, json, params) => {
      processJSONSchema?.(context, json, params)
      json.maxProperties = keys_max
    }
  },
)

/** Counts the keys of an object, up to `max + 1`. */
function sizeOf(input: object, max: number): number {
  let size = 0
  for (const key in input) {
    if (Object.hasOwn(input, key)) size++
    if (size > max) break
  }
  return size
}

function runShape(
  shape: z.core.$ZodType,
  value: unknown,
  context: z.core.ParseContextInternal,
): CheckPayload {
  const result = shape._zod.run({ value, issues: [] }, context)
  if (result instanceof Promise) throw new z.core.$ZodAsyncError()
  return result
}

const hasEnoughIssues = ({ issues }: CheckPayload): boolean => issues.length >= PROBLEMS_MAX

/** Aborts if enough problems are found. The list is then incomplete, so later checks must not read it. */
function limitIssues(payload: CheckPayload): CheckPayload {
  if (!hasEnoughIssues(payload)) return payload
  payload.issues.length = PROBLEMS_MAX
  payload.aborted = true
  return payload
}
