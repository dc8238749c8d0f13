import { z } from 'zod'

/** The id of a record. */
const ID = /^(?:[a-z]{2,5}_[0-9A-Za-z]{22}|[0-9A-Za-z]{12}|\d{1,16})$/

/** A parameter of an operation. */
interface Parameter {
  /** True if any text is valid, such as the words of a search. */
  isText: boolean
  shape: z.ZodType
}

const parametersOf = new WeakMap<z.ZodObject, ReadonlyMap<string, Parameter>>()

/**
 * Returns true if the log may show the value of a parameter: if the operation accepts only certain values, such as
 * states, numbers and times, and this is one; or if it is the id of a record.
 */
export function isHarmless(query: z.ZodObject | undefined, name: string, value: string): boolean {
  const parameter = query && readParameters(query).get(name)
  if (!parameter) return false
  if (parameter.isText) return name.endsWith('_id') && ID.test(value)
  return parameter.shape.safeParse(value).success
}

function readParameters(query: z.ZodObject): ReadonlyMap<string, Parameter> {
  const known = parametersOf.get(query)
  if (known) return known
  const parameters = new Map(
    Object.entries(query.shape).map(([name, shape]) => {
      const parameter = { isText: isFreeText(shape as z.ZodType), shape: shape as z.ZodType }
      return [name, parameter]
    }),
  )
  parametersOf.set(query, parameters)
  return parameters
}

interface JsonSchema {
  type?: string
  enum?: unknown[]
  pattern?: string
  format?: string
  /** The schema for callers, if it differs from that of the text in the query. */
  openapi?: JsonSchema
  anyOf?: JsonSchema[]
}

function isFreeText(shape: z.ZodType): boolean {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return isFree(schema.openapi ?? schema)
}

function isFree({ type, enum: values, pattern, format, anyOf }: JsonSchema): boolean {
  if (anyOf) return anyOf.some(isFree)
  if (values || pattern) return false
  return type === undefined || (type === 'string' && !['date', 'date-time'].includes(format ?? ''))
}
