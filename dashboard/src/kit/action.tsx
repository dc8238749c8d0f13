import { Dialog } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import { common } from '../text/common.ts'
import type { Typed } from './fields.tsx'
import { Form, type FormProps } from './form.tsx'
import { Copy } from './show.tsx'
import { toast } from './toast.tsx'

interface ModalProps {
  title: string
  children: ReactNode
  isOpen: boolean
  onClose(): void
  /** Wide dialogs hold tables. */
  isWide?: boolean
}

export function Modal({ title, children, isOpen, onClose, isWide = false }: ModalProps) {
  const opener = useRef<Element>(null)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className={isWide ? 'dialog wide' : 'dialog'}
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={() => giveFocusBack(opener.current)}
        >
          <header className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="quiet-button">{common.close}</Dialog.Close>
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const GONE_MS = 3_000

/**
 * Focuses the element that opened a dialog. If it is gone, because the dialog deleted its row, the
 * heading of the page is focused, so that the keyboard never starts again at the top of the
 * document.
 */
function giveFocusBack(opener: Element | null) {
  const focusHeading = () => document.querySelector('h1')?.focus()
  if (!(opener instanceof HTMLElement && opener.isConnected)) return focusHeading()
  opener.focus()
  const watch = new MutationObserver(() => {
    if (opener.isConnected) return
    watch.disconnect()
    if (document.activeElement === document.body) focusHeading()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), GONE_MS)
}

export interface ActionProps extends Omit<FormProps, 'fields' | 'onDone'> {
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
  /** Said in a toast; nothing if undefined. */
  done?: string
  onDone?: (answer: unknown, values: Typed) => void
}

/** A button that opens a dialog with what it asks for, its consequences, and its API call. */
export function Action(props: ActionProps) {
  const { label, title = label, lead, fields = [], isPrimary, isDisabled, secretOf, done } = props
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const close = () => {
    setOpen(false)
    setSecret(undefined)
  }
  const finish = (answer: unknown, values: Typed) => {
    const once = secretOf?.(answer)
    if (once !== undefined) setSecret(once)
    else {
      setOpen(false)
      if (done) toast(done)
    }
    props.onDone?.(answer, values)
  }
  return (
    <>
      <button
        type="button"
        className={isPrimary ? 'primary' : props.isDanger ? 'danger-quiet' : undefined}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      <Modal title={title} isOpen={isOpen} onClose={close}>
        {secret === undefined ? (
          <>
            {lead && <div className="lead">{lead}</div>}
            <Form
              {...pick(props)}
              fields={fields}
              onDone={finish}
              more={
                <button type="button" onClick={close}>
                  {common.cancel}
                </button>
              }
            />
          </>
        ) : (
          <div className="form">
            <p>{common.shownOnce}</p>
            <Copy block text={secret} label={title} />
            <div className="form-end">
              <button type="button" className="primary" onClick={close}>
                {common.storedIt}
              </button>
            </div>
          </div>
        )}
      </Modal>
    </>
  )
}

function pick({ submit, request, isDanger, confirmName, children }: ActionProps) {
  return {
    submit,
    request: request as (values: Typed) => Request,
    ...(isDanger !== undefined && { isDanger }),
    ...(confirmName !== undefined && { confirmName }),
    ...(children && { children }),
  }
}
