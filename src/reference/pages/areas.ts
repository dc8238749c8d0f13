import { resolve } from '../../http/openapi/resolve.ts'
import type { Block, Page } from '../blocks.ts'
import { type Field, fieldsOf, shapesWithin } from '../fields.ts'
import type { Area, EventPage, Operation, ReferenceModel } from '../model.ts'
import { samplesOf } from '../samples.ts'

/** One page for each area: its operations, then the shapes that they share. */
export const areaPagesOf = (model: ReferenceModel): Page[] =>
  model.areas.map((area) => areaPage(area, model))

function areaPage(area: Area, model: ReferenceModel): Page {
  const { name, description, href, operations } = area
  return {
    href,
    title: name,
    description,
    blocks: [
      {
        kind: 'links',
        title: 'Operations',
        id: 'operations',
        rows: operations.map(({ id, method, path, summary }) => ({
          mark: method,
          title: path,
          href: `${href}#${id}`,
          about: summary,
        })),
      },
      ...operations.map(
        (operation): Block => ({
          kind: 'operation',
          operation,
          samples: samplesOf(operation, model),
          answer: answerOf(operation),
        }),
      ),
      ...shapesOf(area, model),
    ],
  }
}

const answerOf = ({ answer: { status, example } }: Operation) =>
  example === undefined
    ? undefined
    : {
        label: `${status}`,
        language: 'json' as const,
        text: JSON.stringify(example, null, 2),
      }

export const shapeId = (name: string): string => `shape-${name}`

function shapesOf({ api, operations }: Area, { shapes }: ReferenceModel): Block[] {
  const names = shapesWithin(operations.flatMap(fieldsIn), shapes[api])
  if (names.length === 0) return []
  return [
    { kind: 'heading', text: 'Shapes', id: 'shapes' },
    ...names.map((name): Block => {
      const fields = fieldsOf(resolve(shapes[api][name] ?? {}, shapes[api]), shapes[api])
      return { kind: 'fields', title: name, id: shapeId(name), fields }
    }),
  ]
}

const fieldsIn = ({ body, answer, parameters }: Operation): Field[] => [
  ...(body?.forms.flatMap(({ fields, choices }) => [...fields, ...choices.flat()]) ?? []),
  ...answer.fields,
  ...parameters.query,
]

/** One page for each event type, with a sample payload. */
export const eventPagesOf = ({ events }: ReferenceModel): Page[] => events.map(eventPage)

const eventPage = ({ type, when, fields, sample }: EventPage): Page => ({
  href: `/docs/events/${type}`,
  title: type,
  description: when.replaceAll('`', ''),
  blocks: [
    { kind: 'text', text: when },
    {
      kind: 'samples',
      samples: [{ label: 'Payload', language: 'json', text: JSON.stringify(sample, null, 2) }],
    },
    {
      kind: 'text',
      text: 'It is sent to every webhook endpoint that is subscribed to this type, signed: see [Verify the signature](/docs/webhooks#verify-the-signature). Amounts are decimals in major units.',
    },
    { kind: 'fields', title: 'Fields of data.object', id: 'fields', fields },
    { kind: 'heading', text: 'Send a sample', id: 'sample' },
    {
      kind: 'samples',
      samples: [
        {
          label: 'Terminal',
          language: 'sh',
          text: `npx tradepost webhooks trigger ${type} --store "$TRADEPOST_STORE"`,
        },
      ],
    },
  ],
})
