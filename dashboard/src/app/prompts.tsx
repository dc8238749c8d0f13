import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { call } from '../api/call.ts'
import { hasPasskeys, signInByPasskey, stepUpByPasskey } from '../api/passkeys.ts'
import { answerPrompt, currentPrompt, subscribePrompt } from '../api/prompts.ts'
import type { Me } from '../api/store.ts'
import { Modal } from '../kit/action.tsx'
import { type Field, FieldInput, firstTyped, type Typed, valuesOf } from '../kit/fields.tsx'
import { Failure } from '../kit/states.tsx'
import { common } from '../text/common.ts'
import { passkeys } from '../text/passkeys.ts'
import { shell } from '../text/shell.ts'

const PASSWORD: Field = {
  name: 'password',
  label: shell.password,
  type: 'password',
  required: true,
  autoComplete: 'current-password',
}
const SIGN_IN: readonly Field[] = [
  { name: 'email', label: common.email, type: 'email', required: true, autoComplete: 'username' },
  PASSWORD,
  { name: 'code', label: shell.code, autoComplete: 'one-time-code' },
]
const NEW_PASSWORD: readonly Field[] = [
  { ...PASSWORD, label: shell.newPassword, autoComplete: 'new-password' },
]

/** The forms that a passkey may replace. */
const PASSKEYS: Record<string, () => Promise<void>> = hasPasskeys()
  ? { '/sign-in': signInByPasskey, '/step-up': stepUpByPasskey }
  : {}

/** Asks for a sign-in or a password where a request needs it, above the content of the page. */
export function Prompts() {
  const prompt = useSyncExternalStore(subscribePrompt, currentPrompt)
  const me = useQueryClient().getQueryData<Me>(['me'])
  if (prompt === undefined) return null
  const isFirst = prompt === 'step-up' && me?.user.has_password === false
  const [title, lead, fields, path, submit] =
    prompt === 'sign-in'
      ? ([shell.sessionEnded, shell.sessionLead, SIGN_IN, '/sign-in', shell.signIn] as const)
      : isFirst
        ? ([shell.setPassword, shell.noPassword, NEW_PASSWORD, '/password', common.save] as const)
        : ([shell.stepUp, shell.stepUpLead, [PASSWORD], '/step-up', shell.go] as const)
  return (
    <Modal title={title} isOpen onClose={() => answerPrompt(false)}>
      <p className="lead">{lead}</p>
      <PromptForm key={path} {...{ fields, path, submit }} byPasskey={PASSKEYS[path]} />
    </Modal>
  )
}

function PromptForm({
  fields,
  path,
  submit,
  byPasskey,
}: {
  fields: readonly Field[]
  path: string
  submit: string
  byPasskey: (() => Promise<void>) | undefined
}) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Typed>(() => firstTyped(fields))
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const send = async (work: () => Promise<unknown>) => {
    setSending(true)
    try {
      await work()
      await queries.invalidateQueries({ queryKey: ['me'] })
      answerPrompt(true)
    } catch (refusal) {
      setError(refusal)
    } finally {
      setSending(false)
    }
  }
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void send(() => call('POST', path, { body: valuesOf(fields, typed) }))
  }
  return (
    <form className="form" onSubmit={submitForm}>
      {error !== undefined && <Failure error={error} />}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={typed[field.name]}
          error={undefined}
          onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <div className="form-end">
        {byPasskey && (
          <button type="button" disabled={isSending} onClick={() => send(byPasskey)}>
            {passkeys.use}
          </button>
        )}
        <button type="submit" className="primary" disabled={isSending}>
          {submit}
        </button>
      </div>
    </form>
  )
}
