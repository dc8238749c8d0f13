import type { Steps } from '../../kernel/slices.ts'
import { exampleOf } from './example.ts'
import type { SchemaMap } from './resolve.ts'
import type { Json } from './schemas.ts'

/** A recorded call: the values in its path, its body and its answer. */
interface Sample {
  params?: Record<string, string | number>
  body?: unknown
  answer: unknown
}

/** The recorded calls, by operation. */
export type Samples = Record<string, Sample>

type MediaTypes = Record<string, { schema?: Json; example?: unknown; examples?: Json }>

/**
 * Moves the schemas of bodies and successful answers into the components, named after their operation,
 * and adds examples: those of a recorded call, or else an answer that is made from its schema. Code generators name
 * types after components; for inline schemas they invent names that clash.
 */
export function* nameSchemas(
  paths: Record<string, Json>,
  shapes: SchemaMap,
  samples: Samples = {},
): Steps<SchemaMap> {
  const components: SchemaMap = { ...shapes }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters = [], requestBody, responses } = operation as Json
    const name = pascal(String(operationId))
    const sample = samples[String(operationId)]
    setPathExamples(parameters as Json[], sample?.params)
    if (requestBody) {
      const content = (requestBody as Json).content as MediaTypes
      nameIn(content, `${name}Body`, components)
      setExample(content, sample?.body)
    }
    for (const [status, response] of Object.entries(responses as Record<string, Json>)) {
      if (!status.startsWith('2') || !response.content) continue
      nameIn(response.content as MediaTypes, `${name}Result`, components)
      setExample(response.content as MediaTypes, sample?.answer)
      addExample(response.content as MediaTypes, components)
    }
    yield
  }
  return Object.fromEntries(
    Object.entries(components).sort(([name], [other]) => (name < other ? -1 : 1)),
  )
}

/** `orders.create_refund` becomes `OrdersCreateRefund`. */
const pascal = (id: string): string =>
  id.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase())

function nameIn(content: MediaTypes, name: string, components: SchemaMap): void {
  for (const [type, media] of Object.entries(content)) {
    if (media.schema?.type !== 'object') continue
    const component = type === 'application/json' ? name : `${name}Form`
    if (components[component]) throw new Error(`Two schemas have the name ${component}.`)
    components[component] = media.schema
    media.schema = { $ref: `#/components/schemas/${component}` }
  }
}

function addExample(content: MediaTypes, shapes: SchemaMap): void {
  const media = content['application/json']
  if (media?.schema && media.example === undefined) media.example = exampleOf(media.schema, shapes)
}

function setPathExamples(parameters: readonly Json[], params: Sample['params'] = {}): void {
  for (const parameter of parameters) {
    const example = parameter.in === 'path' ? params[String(parameter.name)] : undefined
    if (example !== undefined) parameter.example = example
  }
}

function setExample(content: MediaTypes, example: unknown): void {
  const media = content['application/json']
  if (media && example !== undefined) media.example = example
}
