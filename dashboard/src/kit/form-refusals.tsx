import { type MouseEvent, Suspense } from 'react'
import { TradepostError } from '../api/store.ts'
import { forms } from '../text/forms.ts'
import { refusals } from '../text/refusals.ts'
import type { Field } from './fields.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Link } from './link.tsx'
import { type BrokenRule, refusalText } from './refusal-words.ts'
import { Failure } from './states.tsx'

// The refusals that a form shows, in the language of the page.

/** Loaded for the refusal of a field that the form does not have. */
const FieldLabel = lazyPart(async () => (await import('./field-label.tsx')).FieldLabel)

export interface Problem extends BrokenRule {
  /** The name of the field in the request. */
  field: string
  /** The label of a control that is not one of the fields. */
  label?: string
}

/** Returns the fields that a refusal names, each with its sentence in the language of the page. */
export const problemsOf = (error: unknown): Problem[] =>
  namedProblems(error).map((problem) => ({ ...problem, message: refusalText(problem) }))

function namedProblems(error: unknown): Problem[] {
  if (!(error instanceof TradepostError)) return []
  const all = error.details?.errors
  if (Array.isArray(all)) return all as Problem[]
  if (error.code === 'REFUSED') return problemsInText(error.message)
  return error.field === undefined ? [] : [{ field: error.field, message: textOf(error) }]
}

/** The message of a refusal without the name of its field, which the client puts before it for logs. */
const textOf = ({ field, message }: TradepostError): string =>
  message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message

/**
 * Reads the field from a refusal of the Client Security API, whose text begins with the field:
 * `name: Use a letter.`
 */
function problemsInText(text: string): Problem[] {
  const [, field, message] = /^([a-z_][\w.[\]]*): (.+)$/s.exec(text) ?? []
  return field === undefined || message === undefined ? [] : [{ field, message }]
}

/** The field of a problem. A problem of a whole record, such as an address, is shown at its first field. */
export const fieldOf = (fields: readonly Field[], problem: Problem): Field | undefined =>
  fields.find(({ name }) => belongsTo(problem, name)) ??
  fields.find(({ name }) => name.startsWith(`${problem.field}.`))

/**
 * A problem of an item of a list, such as `items[2].quantity`, belongs to the field of either name. One of a part of a
 * record, such as `regions.CH`, belongs to the field of the record.
 */
export const belongsTo = (problem: Problem, name: string): boolean =>
  problem.field === name ||
  problem.field.startsWith(`${name}[`) ||
  problem.field.startsWith(`${name}.`) ||
  problem.field.endsWith(`].${name}`)

interface RefusalsProps extends SummaryProps {
  error: Error | null
}

/** The refusal of a form on top of it: the problems of its fields, or a sentence about the whole. */
export const Refusals = ({ error, problems, fields, focus }: RefusalsProps) => (
  <>
    {error && problems.length === 0 && <Failure error={worded(error)} />}
    {problems.length > 0 && <Summary problems={problems} fields={fields} focus={focus} />}
    <StockLink error={error} />
  </>
)

/** Returns a refusal with its sentence in the language of the page. */
function worded(error: Error): Error {
  if (!(error instanceof TradepostError)) return error
  const { operation, status, code, details, requestId, retryAfter_s } = error
  return new TradepostError({
    ...{ operation, status, code, details, requestId, retryAfter_s, cause: error },
    message: refusalText({ ...details, code, message: error.message }),
  })
}

/** The way to the stock of a product of which too few units are left. */
function StockLink({ error }: { error: Error | null }) {
  const { code, details } = error instanceof TradepostError ? error : {}
  if (code !== 'OUT_OF_STOCK' || details?.product_id === undefined) return null
  return (
    <p>
      <Link to={`/products/${details.product_id}/stock`}>{refusals.toStock}</Link>
    </p>
  )
}

interface SummaryProps {
  problems: readonly Problem[]
  fields: readonly Field[]
  focus: (field: string) => void
}

/** The problems of a form on top of it, each with a link to its field. */
const Summary = ({ problems, fields, focus }: SummaryProps) => (
  <div className="failure" role="alert" tabIndex={-1}>
    <p>{forms.checkFields}</p>
    <ul>
      {problems.map((problem) => {
        const field = fieldOf(fields, problem)
        const name = field?.name ?? problem.field
        const open = (event: MouseEvent) => {
          event.preventDefault()
          focus(name)
        }
        return (
          <li key={problem.field + problem.message}>
            <a href={`#${name}`} onClick={open}>
              {field?.label ?? problem.label ?? (
                <Suspense fallback={problem.field}>
                  <FieldLabel path={problem.field} />
                </Suspense>
              )}
            </a>
            : {problem.message}
          </li>
        )
      })}
    </ul>
  </div>
)
