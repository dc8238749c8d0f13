import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { curlOf, type Request } from '../api/action.ts'
import { mayWrite, TradepostError, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { type Field, FieldInput, firstTyped, type Typed, valuesOf } from './fields.tsx'
import { Copy } from './show.tsx'
import { Failure } from './states.tsx'

/** Sends a request, and refreshes the shown data of its area. */
export function useSend(options: { onDone?: ((answer: unknown) => void) | undefined } = {}) {
  const store = useStore()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (request: Request) => {
      const answer = await request.send(store)
      // Not awaited: a refreshed page may no longer have the action whose secret is to be shown.
      void queries.invalidateQueries({ queryKey: [store.id, request.area] })
      void queries.invalidateQueries({ queryKey: [store.id, 'counts'] })
      return answer
    },
    onSuccess: options.onDone,
  })
}

interface Problem {
  field: string
  message: string
}

function problemsOf(error: unknown): Problem[] {
  if (!(error instanceof TradepostError)) return []
  const all = error.details?.errors
  if (Array.isArray(all)) return all as Problem[]
  if (error.code === 'REFUSED') return refusedField(error.message)
  return error.field === undefined ? [] : [{ field: error.field, message: error.message }]
}

/** The Client Security API names the field at the start of its text, such as `name: Use a letter.` */
function refusedField(text: string): Problem[] {
  const [, field, message] = /^([a-z_][\w.[\]]*): (.+)$/s.exec(text) ?? []
  return field === undefined || message === undefined ? [] : [{ field, message }]
}

export interface FormProps {
  fields: readonly Field[]
  /** The verb on the button, such as "Refund €12.00". May depend on what was typed. */
  submit: string | ((values: Typed) => string)
  /** The request that the form sends. */
  request: (values: Typed) => Request
  onDone?: (answer: unknown, values: Typed) => void
  isDanger?: boolean
  /** The name to type before something irreversible. */
  confirmName?: string
  /** Shown between the fields and the button. */
  children?: (values: Typed) => ReactNode
  /** Buttons next to the submit button. */
  more?: ReactNode
}

/**
 * A form made of data. Refusals appear next to their fields, with a list on top; what was typed
 * stays.
 */
export function Form(props: FormProps) {
  const { fields, submit, request, onDone, isDanger, confirmName, children, more } = props
  const [typed, setTyped] = useState<Typed>(() => firstTyped(fields))
  const [name, setName] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const values = valuesOf(fields, typed)
  const send = useSend({ onDone: (answer) => onDone?.(answer, values) })
  const problems = problemsOf(send.error)
  const errorOf = (field: string) =>
    problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}[`))
      ?.message
  const shown = fields.filter(({ when }) => when?.(typed) ?? true)
  const isReady = confirmName === undefined || name === confirmName

  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending || !isReady) return
    send.mutate(request(values), {
      onError: (error) => {
        const first = problemsOf(error)[0]?.field
        // A refusal that belongs to no field may be out of sight.
        requestAnimationFrame(() => {
          const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
          const place = find(`[name="${first}"]`) ?? find('[role="alert"]')
          place?.focus()
        })
      },
    })
  }
  return (
    <form ref={form} className="form" onSubmit={submitForm} noValidate={false}>
      {send.error && problems.length === 0 && <Failure error={send.error} />}
      {problems.length > 0 && (
        <div className="failure" role="alert" tabIndex={-1}>
          <p>{common.checkFields}</p>
          <ul>
            {problems.map(({ field, message }) => (
              <li key={field + message}>
                {shown.find((item) => item.name === field)?.label ?? field}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {shown.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={typed[field.name]}
          error={errorOf(field.name)}
          onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {confirmName !== undefined && (
        <FieldInput
          field={{ name: 'confirm_name', label: fill(common.typeName, { name: confirmName }) }}
          value={name}
          error={undefined}
          onChange={(value) => setName(String(value))}
        />
      )}
      {children?.(values)}
      <div className="form-end">
        <button
          type="submit"
          className={isDanger ? 'danger' : 'primary'}
          disabled={send.isPending || !isReady}
        >
          {typeof submit === 'string' ? submit : submit(values)}
        </button>
        {more}
      </div>
      <ApiCall make={() => request(values)} />
    </form>
  )
}

/** The request of an action, as a developer would make it. */
function ApiCall({ make }: { make: () => Request }) {
  const store = useStore()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const request = isOpen ? safely(make) : undefined
  return (
    <details className="api-call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id={id}>{common.showCall}</summary>
      {request && request.publicPath === undefined && <p className="quiet">{common.onlyHere}</p>}
      {request?.publicPath !== undefined && (
        <>
          <Copy block text={curlOf(request, store)} label="curl" />
          {request.client && <Copy block text={`await ${request.client}`} label="client" />}
        </>
      )}
    </details>
  )
}

/** Returns undefined while the typed values do not make a request yet. */
function safely(make: () => Request): Request | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** True if the role may change records of the area; actions are hidden otherwise. */
export const useMayWrite = (area: string): boolean => mayWrite(useStore(), area)
