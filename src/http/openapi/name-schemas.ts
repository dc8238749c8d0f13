import { exampleOf } from './example.ts'
import type { Shapes } from './resolve.ts'
import type { Json } from './schemas.ts'

type Media = Record<string, { schema?: Json; example?: unknown; examples?: Json }>

/**
 * Moves the schemas of bodies and of successful answers into the components, named after their operation, and
 * adds an example to each JSON answer. Code generators name their types after components; from inline schemas
 * they invent names, which then clash.
 */
export function nameSchemas(paths: Record<string, Json>, shapes: Shapes): Shapes {
  const named: Shapes = { ...shapes }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, requestBody, responses } = operation as Json
    const name = pascal(String(operationId))
    if (requestBody) nameIn((requestBody as Json).content as Media, `${name}Body`, named)
    for (const [status, response] of Object.entries(responses as Record<string, Json>)) {
      if (!status.startsWith('2') || !response.content) continue
      nameIn(response.content as Media, `${name}Result`, named)
      addExample(response.content as Media, named)
    }
  }
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `orders.create_refund` becomes `OrdersCreateRefund`. */
const pascal = (id: string): string =>
  id.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase())

function nameIn(content: Media, name: string, named: Shapes): void {
  for (const [type, media] of Object.entries(content)) {
    if (media.schema?.type !== 'object') continue
    const own = type === 'application/json' ? name : `${name}Form`
    if (named[own]) throw new Error(`Two schemas have the name ${own}.`)
    named[own] = media.schema
    media.schema = { $ref: `#/components/schemas/${own}` }
  }
}

function addExample(content: Media, shapes: Shapes): void {
  const media = content['application/json']
  if (media?.schema && media.example === undefined) media.example = exampleOf(media.schema, shapes)
}
