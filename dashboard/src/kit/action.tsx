import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { forms } from '../text/forms.ts'
import type { FormValues } from './fields.tsx'
import { Form, type FormProps } from './form.tsx'
import { useOpenPage } from './link.tsx'
import { Modal } from './modal.tsx'
import { OpenByAddress } from './open-by-address.tsx'
import { Copy } from './show.tsx'
import { toast } from './toast.tsx'
import { type Undo, useUndo } from './undo.ts'

interface ActionProps extends Omit<FormProps, 'fields' | 'onDone'> {
  /** The verb on the button that opens the dialog. */
  label: string
  title?: string
  /** The consequence, with numbers. */
  lead?: ReactNode
  fields?: FormProps['fields']
  isPrimary?: boolean
  isDisabled?: boolean
  /** A value of the answer that is shown once, such as a new key. */
  secretOf?: (answer: unknown) => string | undefined
  /** The environment variable in which a program reads the value that is shown once. */
  envName?: string | ((values: FormValues) => string)
  /** The text of a toast after success; no toast if undefined. */
  done?: string
  /** The request that takes the action back, offered in a toast after success. */
  undo?: () => Undo
  onDone?: (answer: unknown, values: FormValues) => void
  /** The page of a new record. It opens unless the user has closed the dialog or left the page before the answer. */
  pageOf?: (answer: unknown) => string | undefined
}

interface OpenDialog {
  title: string
  /** The path of the page. If it is still the same when the action disappears, the user did not leave the page. */
  path: string
}

/**
 * The content of the dialog of an action; undefined while the dialog is closed. If another user changes the record
 * while the dialog is open, the page may no longer have the action. A toast then says why the dialog closed.
 */
export function useActionDialog<Content>(title: string) {
  const [content, setContent] = useState<Content>()
  const openDialog = useRef<OpenDialog>(undefined)
  useEffect(
    () => () => {
      const { path, title = '' } = openDialog.current ?? {}
      if (path === location.pathname) toast(fill(forms.actionGone, { title }))
    },
    [],
  )
  return {
    content,
    /** Returns true until the dialog is closed or the page is left. */
    isWaiting: () => openDialog.current?.path === location.pathname,
    open(newContent: Content) {
      openDialog.current = { title, path: location.pathname }
      setContent(newContent)
    },
    close() {
      openDialog.current = undefined
      setContent(undefined)
    },
  }
}

/** A button that opens a dialog with a form, the consequences of the action, and its API call. */
export function Action(props: ActionProps) {
  const { label, title = label, lead, fields = [], isPrimary, isDisabled, done } = props
  const { content, isWaiting, open, close } = useActionDialog<{
    secret?: ShownSecret
    name?: string
  }>(title)
  const openPage = useOpenPage()
  const button = useRef<HTMLButtonElement>(null)
  const offerUndo = useUndo()
  const openForm = () => open({ name: nameWithRow(title, button.current) })
  const finish = (answer: unknown, values: FormValues) => {
    const page = props.pageOf?.(answer)
    const opensPage = page !== undefined && isWaiting()
    const secret = shownSecretOf(props, answer, values)
    if (secret) open({ secret })
    else {
      close()
      if (done) toast(done)
      if (props.undo) offerUndo(props.undo())
    }
    props.onDone?.(answer, values)
    if (page === undefined) return
    if (opensPage) openPage(page)
    else toast(`${title}: ${common.saved}`)
  }
  return (
    <>
      {isPrimary && <OpenByAddress button={button} open={openForm} />}
      <button
        ref={button}
        type="button"
        className={buttonClassOf(props)}
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={openForm}
      >
        {label}
      </button>
      <Modal
        title={title}
        isOpen={content !== undefined}
        onClose={close}
        isLocked={content?.secret !== undefined}
      >
        {content?.secret ? (
          <Secret secret={content.secret} label={title} close={close} />
        ) : (
          <>
            {lead && <div className="lead">{lead}</div>}
            <Form
              {...formPropsOf(props)}
              title={content?.name ?? title}
              fields={fields}
              onDone={finish}
              onCancel={close}
            />
          </>
        )}
      </Modal>
    </>
  )
}

/** The name of a change from a list: its title, and the first value of its row unless the title has it. */
function nameWithRow(title: string, button: Element | null): string {
  const row = button?.closest('tr')?.querySelector('td:not(.check) .cell')?.textContent
  return !row || title.includes(row) ? title : `${title} · ${row}`
}

function buttonClassOf({ isPrimary, isDanger }: ActionProps) {
  if (isPrimary) return 'primary'
  return isDanger ? 'danger-outlined' : undefined
}

/** A value that is shown once. */
interface ShownSecret {
  text: string
  /** The environment variable in which a program reads it. */
  env?: string
}

/** Returns the value of the answer that is shown once; undefined if there is none. */
function shownSecretOf(
  { secretOf, envName }: ActionProps,
  answer: unknown,
  values: FormValues,
): ShownSecret | undefined {
  const text = secretOf?.(answer)
  if (text === undefined) return undefined
  const env = typeof envName === 'function' ? envName(values) : envName
  return { text, ...(env !== undefined && { env }) }
}

interface SecretProps {
  secret: ShownSecret
  label: string
  close: () => void
}

function Secret({ secret: { text, env }, label, close }: SecretProps) {
  const container = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  useEffect(() => container.current?.querySelector('button')?.focus(), [])
  return (
    <div className="form" ref={container}>
      <p>{forms.shownOnce}</p>
      <Copy block text={text} label={label} />
      {env !== undefined && (
        <>
          <p>{forms.envLine}</p>
          <Copy block text={`${env}=${text}`} label={forms.envLine} />
        </>
      )}
      <div className="form-end">
        <button type="button" className="primary" onClick={close}>
          {forms.storedIt}
        </button>
      </div>
    </div>
  )
}

function formPropsOf({ submit, request, isDanger, confirmName, children }: ActionProps) {
  return {
    submit,
    request: request as (values: FormValues) => Request,
    ...(isDanger !== undefined && { isDanger }),
    ...(confirmName !== undefined && { confirmName }),
    ...(children && { children }),
  }
}
