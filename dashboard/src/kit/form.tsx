import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { commandOf, curlOf, type Request, sendRequest } from '../api/action.ts'
import { mayWrite, TradepostError, useRead, useStore } from '../api/store.ts'
import { apiCall } from '../text/api-call.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { forms } from '../text/forms.ts'
import { useConnection } from './connection.tsx'
import {
  type Field,
  FieldInput,
  type FormValues,
  fieldsWithWrongValue,
  initialInputs,
  requestValues,
  valueProblem,
} from './fields.tsx'
import { belongsTo, fieldOf, type Problem, problemsOf, Refusals } from './form-refusals.tsx'
import { InlineCode } from './inline-code.tsx'
import { isFocusIn } from './restore-focus.ts'
import { Copy } from './show.tsx'
import { SlowAnswer } from './slow-answer.tsx'

/** Sends a request, and refreshes the shown data of its area. */
export function useSend(options: { onDone?: ((answer: unknown) => void) | undefined } = {}) {
  const store = useStore()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (request: Request) => {
      const answer = await sendRequest(request, store)
      // Not awaited. A refreshed page may no longer have the action whose secret must be shown.
      for (const area of new Set([request.area, request.otherArea ?? request.area, 'counts']))
        void queries.invalidateQueries({ queryKey: [store.id, area] })
      return answer
    },
    onSuccess: options.onDone,
  })
}

const Unanswered = ({ wasSentOnline }: { wasSentOnline: boolean }) =>
  wasSentOnline ? <SlowAnswer /> : <p role="status">{forms.waiting}</p>

const Cancel = ({ label, onCancel }: { label: string | undefined; onCancel: () => void }) => (
  <button type="button" onClick={onCancel}>
    {label ?? common.cancel}
  </button>
)

/** Ctrl+Enter sends the form from a text of several lines, where Enter begins a line. */
function sendByKey(event: KeyboardEvent<HTMLFormElement>) {
  const isKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  if (isKey && event.target instanceof HTMLTextAreaElement) event.currentTarget.requestSubmit()
}

/** Refusals because the record is not as the page shows it: another user changed or deleted it. */
const STALE_STATUSES = [404, 409]

/**
 * Reads the records of an area again after a refusal that says that they are stale. A dialog stays
 * open with its refusal, so its records are read when it closes: they may no longer allow its action.
 */
function useStaleRefresh(form: RefObject<HTMLElement | null>) {
  const store = useStore()
  const queries = useQueryClient()
  const staleArea = useRef<string>(undefined)
  const refresh = useCallback(
    (area: string) => void queries.invalidateQueries({ queryKey: [store.id, area] }),
    [queries, store.id],
  )
  useEffect(
    () => () => {
      if (staleArea.current !== undefined) refresh(staleArea.current)
    },
    [refresh],
  )
  return (error: unknown, area: string) => {
    if (!(error instanceof TradepostError && STALE_STATUSES.includes(error.status))) return
    if (form.current?.closest('[role=dialog]')) staleArea.current = area
    else refresh(area)
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The problems that the browser finds, such as an empty required field, and texts in number fields. */
function problemsIn(
  form: HTMLFormElement,
  fields: readonly Field[],
  values: FormValues,
): Problem[] {
  const controls = [...form.querySelectorAll<Control>('input, select, textarea')]
  const invalid = controls.filter((control) => !control.validity.valid)
  return [
    ...invalid.map((control) => ({
      field: control.name || control.id,
      message: messageOf(control),
      label: control.labels?.[0]?.textContent ?? control.name,
    })),
    ...fieldsWithWrongValue(fields, values).map((field) => ({
      field: field.name,
      message: valueProblem(field, values[field.name]),
    })),
  ]
}

/** The browser's own messages are in the language of the browser, which may be another one. */
function messageOf({ type, validity, validationMessage }: Control): string {
  if (validity.valueMissing) return forms.fillIn
  if (validity.typeMismatch) return type === 'email' ? forms.notEmail : forms.notUrl
  return validationMessage
}

/** Focuses the first problem of a refusal, once it is on the page. On a busy machine that is later than the next frame. */
function useRefusalFocus(
  form: RefObject<HTMLFormElement | null>,
  error: Error | null,
  shownFields: readonly Field[],
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once for each refusal.
  useEffect(() => {
    if (error === null || !isFocusIn(form.current)) return
    const [problem] = problemsOf(error)
    const first = problem && (fieldOf(shownFields, problem)?.name ?? problem.field)
    focusProblem(form.current, first)
  }, [error])
}

/** Focuses the field of a problem. The text of a refusal without a field may be out of sight. */
function focusProblem(form: HTMLFormElement | null, field: string | undefined) {
  requestAnimationFrame(() => {
    const control = field === undefined ? null : controlIn(form, field)
    const summary = form?.querySelector<HTMLElement>('[role="alert"]')
    ;(control ?? summary)?.focus()
  })
}

const controlIn = (form: HTMLFormElement | null, field: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"], [id="${CSS.escape(field)}"]`) ??
  null

/** Replaces what is typed in a field. */
export type SetInput = (name: string, value: unknown) => void

export interface FormProps {
  fields: readonly Field[]
  /** The verb on the button, such as "Refund €12.00". It can depend on the typed values. */
  submit: string | ((values: FormValues) => string)
  /** The title of its dialog, by which a waiting change is named. */
  title?: string
  /** The request that the form sends. */
  request: (values: FormValues) => Request
  onDone?: (answer: unknown, values: FormValues) => void
  isDanger?: boolean
  /** The name that the user must type before an irreversible action. */
  confirmName?: string
  /** Shown between the fields and the button. */
  children?: (values: FormValues, setInput: SetInput) => ReactNode
  /** True if the content says how far the request is, and that the server is slow. */
  hasProgress?: boolean
  /** Called by the cancel button; there is no such button if undefined. */
  onCancel?: () => void
  /** The text of the cancel button, "Cancel" by default. */
  cancelLabel?: string
}

function useInputs(fields: readonly Field[]) {
  const [inputs, setInputs] = useState<FormValues>(() => initialInputs(fields))
  const setInput: SetInput = (name, value) => setInputs((before) => ({ ...before, [name]: value }))
  // A field may be added while the form is open, as soon as its options are read.
  return [{ ...initialInputs(fields), ...inputs }, setInput] as const
}

interface ConfirmNameProps {
  name: string
  typed: string
  onType(typed: string): void
}

const ConfirmName = ({ name, typed, onType }: ConfirmNameProps) => (
  <FieldInput
    field={{ name: 'confirm_name', label: fill(forms.typeName, { name }) }}
    value={typed}
    error={undefined}
    onChange={(value) => onType(String(value))}
  />
)

/**
 * A form made from data. Refusals appear next to their fields, with a list on top. The typed values
 * stay. While the request is sent, its button is not disabled, because it would lose the focus.
 */
export function Form(props: FormProps) {
  const { fields, submit, request, onDone, isDanger, confirmName, children, onCancel } = props
  const [inputs, setInput] = useInputs(fields)
  const [name, setName] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const refreshIfStale = useStaleRefresh(form)
  const values = requestValues(fields, inputs)
  const send = useSend({ onDone: (answer) => onDone?.(answer, values) })
  const { isOnline } = useConnection()
  const [wasSentOnline, setSentOnline] = useState(true)
  const [typedProblems, setTypedProblems] = useState<readonly Problem[]>([])
  const problems = typedProblems.length > 0 ? typedProblems : problemsOf(send.error)
  const errorOf = (field: string) => problems.find((problem) => belongsTo(problem, field))?.message
  const shownFields = fields.filter(({ when }) => when?.(inputs) ?? true)
  const submitText = typeof submit === 'string' ? submit : submit(values)
  const isReady = confirmName === undefined || name === confirmName

  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending || !isReady) return
    const formProblems = form.current ? problemsIn(form.current, shownFields, values) : []
    setTypedProblems(formProblems)
    const [firstProblem] = formProblems
    if (firstProblem) return controlIn(form.current, firstProblem.field)?.focus()
    const title = props.title ?? submitText
    setSentOnline(isOnline)
    send.mutate(
      { ...request(values), title },
      { onError: (error, { area }) => refreshIfStale(error, area) },
    )
  }
  useRefusalFocus(form, send.error, shownFields)
  return (
    <form
      ref={form}
      className="form"
      onSubmit={submitForm}
      onKeyDown={sendByKey}
      noValidate
      aria-busy={send.isPending}
    >
      <Refusals
        error={send.error}
        problems={problems}
        fields={shownFields}
        focus={(name) => controlIn(form.current, name)?.focus()}
      />
      {shownFields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={inputs[field.name]}
          inputs={inputs}
          error={errorOf(field.name)}
          errorOf={errorOf}
          onChange={(value) => setInput(field.name, value)}
        />
      ))}
      {confirmName !== undefined && (
        <ConfirmName name={confirmName} typed={name} onType={setName} />
      )}
      {children?.(values, setInput)}
      {send.isPending && !props.hasProgress && <Unanswered wasSentOnline={wasSentOnline} />}
      <div className="form-end">
        <button
          type="submit"
          className={isDanger ? 'danger' : 'primary'}
          aria-disabled={send.isPending}
          disabled={!isReady}
        >
          {submitText}
        </button>
        {onCancel && <Cancel label={props.cancelLabel} onCancel={onCancel} />}
      </div>
      <ApiCall make={() => request(values)} />
    </form>
  )
}

/** The request of an action, as a developer would write it. */
export function ApiCall({ make }: { make: () => Request }) {
  const store = useStore()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const request = isOpen ? requestIfComplete(make) : undefined
  return (
    <details className="api-call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id={id}>{forms.showCall}</summary>
      {isOpen && request === undefined && <p className="secondary-text">{apiCall.fillFirst}</p>}
      {request && request.publicPath === undefined && !request.command && (
        <p className="secondary-text">{apiCall.onlyHere}</p>
      )}
      {request?.publicPath !== undefined && (
        <>
          <Copy block text={curlOf(request, store)} label="curl" />
          {request.client && <Copy block text={`await ${request.client}`} label="client" />}
          <KeyHint kind={request.publicPath.startsWith('/security') ? 'security' : 'store'} />
        </>
      )}
      {request?.command && (
        <Copy block text={commandOf(request, store) ?? ''} label={apiCall.commandLine} />
      )}
    </details>
  )
}

const KEY_VARIABLES = { store: 'TRADEPOST_API_KEY', security: 'TRADEPOST_SECURITY_KEY' } as const

/** Names a key of this side of the store that a call can use. Its text is not known to the page. */
function KeyHint({ kind }: { kind: keyof typeof KEY_VARIABLES }) {
  const { data } = useRead(
    ['api_keys', 'of samples'],
    async ({ readDashboard }) => (await readDashboard<'api_keys.list'>('/api-keys')).api_keys,
    { isOptional: true },
  )
  if (!data) return null
  const variable = KEY_VARIABLES[kind]
  const key = data.find((item) => item.kind === kind && item.revoked_at === null)
  const text = key
    ? fill(apiCall.keyOfSample, { variable, name: key.name, key: `${key.prefix}…${key.last4}` })
    : fill(apiCall.noKeyOfSample, { variable })
  return (
    <p className="secondary-text">
      <InlineCode text={text} />
    </p>
  )
}

/** Returns undefined while required values are missing, because `make` then throws. */
function requestIfComplete(make: () => Request): Request | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** True if the role may change records of the area; actions are hidden otherwise. */
export const useMayWrite = (area: string): boolean => mayWrite(useStore(), area)
