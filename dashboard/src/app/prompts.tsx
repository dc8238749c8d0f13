import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { API, call } from '../api/call.ts'
import { reloadPage } from '../api/connection.ts'
import type { DashboardAnswer } from '../api/dashboard.ts'
import { hasPasskeys, signInByPasskey, stepUpByPasskey } from '../api/passkeys.ts'
import { answerPrompt, type Prompt } from '../api/prompts.ts'
import { SESSION_ENDED_KEY } from '../api/session-end.ts'
import { type Me, TradepostError } from '../api/store.ts'
import {
  type Field,
  FieldInput,
  type FormValues,
  initialInputs,
  requestValues,
} from '../kit/fields.tsx'
import { InlineCode } from '../kit/inline-code.tsx'
import { Modal } from '../kit/modal.tsx'
import { Failure } from '../kit/states.tsx'
import { PASSWORD_MAX, PASSWORD_MIN } from '../kit/text-limits.ts'
import { common } from '../text/common.ts'
import { passkeys } from '../text/passkeys.ts'
import { promptTexts } from '../text/prompts.ts'

const PASSWORD_FIELD: Field = {
  name: 'password',
  label: promptTexts.password,
  type: 'password',
  required: true,
  autoComplete: 'current-password',
}
const signInFields = (email: string | undefined): readonly Field[] => [
  {
    name: 'email',
    label: common.email,
    type: 'email',
    required: true,
    autoComplete: 'username',
    value: email,
  },
  PASSWORD_FIELD,
  { name: 'code', label: promptTexts.code, autoComplete: 'one-time-code' },
]
const NEW_PASSWORD_FIELDS: readonly Field[] = [
  {
    ...PASSWORD_FIELD,
    label: promptTexts.newPassword,
    minLength: PASSWORD_MIN,
    maxLength: PASSWORD_MAX,
    autoComplete: 'new-password',
  },
]

/** The sign-ins by passkey, by the path of the password form that they replace. */
const PASSKEY_SIGN_INS: Record<string, () => Promise<unknown>> = hasPasskeys()
  ? { '/sign-in': signInByPasskey, '/step-up': stepUpByPasskey }
  : {}

/** The dialog that asks for a sign-in or a password. */
export function PromptDialog({ prompt }: { prompt: Prompt }) {
  const me = useQueryClient().getQueryData<Me>(['me'])
  const { title, lead, ...form } = dialogOf(prompt, me)
  useCover(prompt)
  return (
    <Modal title={title} isOpen onClose={() => answerPrompt(prompt, false)}>
      <p className="lead">
        <InlineCode text={lead} />
      </p>
      <PromptForm
        key={form.path}
        {...form}
        prompt={prompt}
        byPasskey={PASSKEY_SIGN_INS[form.path]}
      />
    </Modal>
  )
}

/**
 * Covers the records of a page whose session has ended, in all tabs of the browser. They stay behind the cover, with
 * the typed values of open forms.
 */
function useCover(prompt: Prompt) {
  useEffect(() => {
    if (prompt === 'STEP_UP_REQUIRED') return
    // A tab that follows another tab does not report it again.
    if (localStorage.getItem(SESSION_ENDED_KEY) === null)
      localStorage.setItem(SESSION_ENDED_KEY, new Date().toISOString())
    document.documentElement.dataset.covered = ''
    return () => {
      delete document.documentElement.dataset.covered
    }
  }, [prompt])
}

interface FormOfPrompt {
  fields: readonly Field[]
  /** The path of the endpoint that takes the values of the fields. Without fields, the user is read again. */
  path: string
  submit: string
}

function dialogOf(
  prompt: Prompt,
  me: Me | undefined,
): FormOfPrompt & { title: string; lead: string } {
  if (prompt === 'SIGN_IN_REQUIRED' && me?.user.has_password === false) {
    return {
      title: promptTexts.sessionEnded,
      lead: promptTexts.linkLead,
      fields: [],
      path: '/me',
      submit: promptTexts.continue,
    }
  }
  if (prompt !== 'STEP_UP_REQUIRED') {
    return {
      title: prompt === 'SIGN_IN_REQUIRED' ? promptTexts.sessionEnded : promptTexts.otherUser,
      lead: prompt === 'SIGN_IN_REQUIRED' ? promptTexts.sessionLead : promptTexts.otherUserLead,
      fields: signInFields(me?.user.email),
      path: '/sign-in',
      submit: promptTexts.signIn,
    }
  }
  if (me?.user.has_password === false) {
    return {
      title: promptTexts.setPassword,
      lead: promptTexts.noPassword,
      fields: NEW_PASSWORD_FIELDS,
      path: '/password',
      submit: common.save,
    }
  }
  return {
    title: promptTexts.stepUp,
    lead: promptTexts.stepUpLead,
    fields: [PASSWORD_FIELD],
    path: '/step-up',
    submit: promptTexts.continue,
  }
}

/** Focuses the field to correct: the code if it is missing, otherwise the password. */
function focusWrongField(form: HTMLFormElement | null, error: unknown) {
  const isCode = error instanceof TradepostError && error.code === ('CODE_REQUIRED' as string)
  form?.querySelector<HTMLElement>(isCode ? '[name="code"]' : '[type="password"]')?.focus()
}

class NotSignedInError extends Error {}

/** Reads the user who signed in in another tab. A guarded call would wait for this prompt. */
async function readSignedIn(): Promise<unknown> {
  const response = await fetch(`${API}/me`)
  if (response.ok) return response.json()
  throw new NotSignedInError()
}

interface PromptFormProps extends FormOfPrompt {
  prompt: Prompt
  byPasskey: (() => Promise<unknown>) | undefined
}

function PromptForm({ prompt, fields, path, submit, byPasskey }: PromptFormProps) {
  const queries = useQueryClient()
  const me = queries.getQueryData<Me>(['me'])
  const [inputs, setInputs] = useState<FormValues>(() => initialInputs(fields))
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The button that sent the form was disabled meanwhile, so it lost the focus.
  useEffect(() => {
    if (error !== undefined) focusWrongField(form.current, error)
  }, [error])
  const send = async (work: () => Promise<unknown>) => {
    setSending(true)
    try {
      const answer = await work()
      if (prompt !== 'STEP_UP_REQUIRED' && me) {
        const { user } = answer as DashboardAnswer<'users.sign_in'>
        // The page has the data and the waiting requests of the former user, so it is loaded again.
        if (user.id !== me.user.id) return reloadPage()
      }
      // Without `me`, the first read of the user waits for this prompt, so awaiting it here would never end.
      if (me) await queries.invalidateQueries({ queryKey: ['me'] })
      localStorage.removeItem(SESSION_ENDED_KEY)
      answerPrompt(prompt, true)
    } catch (refusal) {
      setError(refusal)
    } finally {
      setSending(false)
    }
  }
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    void send(() =>
      fields.length === 0
        ? readSignedIn()
        : call('POST', path, { body: requestValues(fields, inputs) }),
    )
  }
  return (
    <form ref={form} className="form" onSubmit={submitForm}>
      {error instanceof NotSignedInError ? (
        <p className="failure" role="alert">
          {promptTexts.notSignedIn}
        </p>
      ) : (
        error !== undefined && <Failure error={error} />
      )}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={inputs[field.name]}
          error={undefined}
          onChange={(value) => setInputs((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <div className="form-end">
        {byPasskey && (
          <button type="button" disabled={isSending} onClick={() => send(byPasskey)}>
            {passkeys.use}
          </button>
        )}
        <button type="submit" className="primary" aria-disabled={isSending}>
          {submit}
        </button>
        {prompt === 'OTHER_USER' && (
          <button type="button" onClick={reloadPage}>
            {promptTexts.loadAgain}
          </button>
        )}
      </div>
    </form>
  )
}
