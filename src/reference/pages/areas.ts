import { resolve } from '../../http/openapi/resolve.ts'
import type { Block, ReferencePage } from '../blocks.ts'
import { type Field, fieldsOf, shapesWithin } from '../fields.ts'
import type { Area, EventPage, Operation, ReferenceModel } from '../model.ts'
import { samplesOf } from '../samples.ts'

/** Returns a page for each area, with its operations and then the shapes to which they refer. */
export const areaPagesOf = (model: ReferenceModel): ReferencePage[] =>
  model.areas.map((area) => areaPage(area, model))

function areaPage(area: Area, model: ReferenceModel): ReferencePage {
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
          answer: answerSampleOf(operation),
        }),
      ),
      ...shapesOf(area, model),
    ],
  }
}

const answerSampleOf = ({ answer: { status, example } }: Operation) =>
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

/** Returns a page for each event type, with a sample payload. */
export const eventPagesOf = ({ events }: ReferenceModel): ReferencePage[] => events.map(eventPage)

const eventPage = ({ type, summary, fields, sample }: EventPage): ReferencePage => ({
  href: `/docs/events/${type}`,
  title: type,
  description: summary.replaceAll('`', ''),
  blocks: [
    { kind: 'text', text: summary },
    {
      kind: 'samples',
      samples: [{ label: 'Payload', language: 'json', text: JSON.stringify(sample, null, 2) }],
    },
    {
      kind: 'text',
      text: 'The event is sent to every webhook endpoint that is subscribed to this type. The request is signed: see [Verify the signature](/docs/webhooks#verify-the-signature). Amounts are decimals in major units.',
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
