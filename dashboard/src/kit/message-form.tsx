import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import { useStore } from '../api/store.ts'
import { Form } from './form.tsx'
import { isFocusIn } from './restore-focus.ts'

interface MessageFormProps {
  /** The record that is answered, such as `ticket-12`. */
  record: string
  label: string
  help: string
  submit: string
  request: (body: string) => Request
  /** Controls above the text, which can insert a text below the typed one. */
  tools?: (insert: (text: string) => void) => ReactNode
}

/**
 * A form for one message. The typed text is stored in the tab until it is sent, so neither a change of the
 * record by somebody else nor another page loses it.
 */
export function MessageForm({ record, label, help, submit, request, tools }: MessageFormProps) {
  const { id, me } = useStore()
  const draft = draftOf(`tradepost-message-${me.user.id}-${id}-${record}`)
  const [restartCount, setRestartCount] = useState(0)
  const container = useRef<HTMLDivElement>(null)
  const takesFocus = useRef(false)
  useEffect(() => {
    if (restartCount > 0 && takesFocus.current)
      container.current?.querySelector('textarea')?.focus()
  }, [restartCount])
  const restart = (text: string, withFocus: boolean) => {
    draft.save(text)
    takesFocus.current = withFocus
    setRestartCount((before) => before + 1)
  }
  const saveTyped = ({ target }: FormEvent) => {
    if (target instanceof HTMLTextAreaElement) draft.save(target.value)
  }
  return (
    <div ref={container} onInput={saveTyped}>
      {tools?.((text) => restart([draft.read(), text].filter(Boolean).join('\n'), true))}
      <Form
        // The form takes its first values when it is made.
        key={restartCount}
        fields={[
          { name: 'body', label, type: 'textarea', required: true, value: draft.read(), help },
        ]}
        submit={submit}
        // A user who went on while the message was sent keeps the focus there.
        onDone={() => restart('', isFocusIn(container.current))}
        request={({ body }) => {
          const text = String(body ?? '')
          const inner = request(text)
          return { ...inner, send: (store) => draft.sending(text, inner.send(store)) }
        }}
      />
    </div>
  )
}

/** A typed text that is stored in the tab of the browser. */
const draftOf = (name: string) => {
  const read = () => sessionStorage.getItem(name) ?? ''
  const save = (text: string) => {
    try {
      if (text === '') sessionStorage.removeItem(name)
      else sessionStorage.setItem(name, text)
    } catch {
      // Without storage the text is only in the form.
    }
  }
  return {
    read,
    save,
    /** A text that is being sent is no draft, because it may be sent again after a reload. */
    async sending(text: string, answer: PromiseLike<unknown>) {
      save('')
      try {
        return await answer
      } catch (error) {
        save(text)
        throw error
      }
    },
  }
}
