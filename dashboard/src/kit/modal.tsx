import { Dialog } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { common } from '../text/common.ts'
import { forms } from '../text/forms.ts'
import { partsAround, restoreFocus } from './restore-focus.ts'
import { useTypedInput } from './typed-input.ts'

interface ModalProps {
  title: string
  children: ReactNode
  isOpen: boolean
  onClose(): void
  /** True if the dialog holds a table. */
  isWide?: boolean
  /** True if only a button in the content closes the dialog, because its text is not shown again. */
  isLocked?: boolean
  /** True if the typed values are stored as a draft, so that closing the dialog loses none. */
  keepsTyped?: boolean
}

/** Keeps the element that had the focus before a dialog opened, and gives the focus back to it. */
function useFocusReturn() {
  const opener = useRef<Element>(null)
  /** The parts of the page around the opener, for the focus if the opener is gone. */
  const parts = useRef<readonly Element[]>([])
  return {
    keep() {
      opener.current = document.activeElement
      parts.current = partsAround(opener.current)
    },
    giveBack: () => restoreFocus(opener.current, parts.current),
  }
}

/**
 * A dialog. If it would close with typed values, it asks first. The button that opens it has `aria-haspopup="dialog"`,
 * by which a test finds every dialog.
 */
export function Modal(props: ModalProps) {
  const { title, children, isOpen, onClose, isWide, isLocked = false, keepsTyped = false } = props
  const content = useRef<HTMLDivElement>(null)
  const typedInput = useTypedInput(content, { isOpen, isLocked, keepsTyped })
  const focusReturn = useFocusReturn()
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    if (isLocked) return
    if (typedInput.hasTyped()) setAsking(true)
    else onClose()
  }
  const discard = () => {
    setAsking(false)
    onClose()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          ref={content}
          className={isWide ? 'dialog wide' : 'dialog'}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focusReturn.keep()
            typedInput.reset()
            focusFirstField(event)
          }}
          onFocus={typedInput.onFocus}
          onCloseAutoFocus={focusReturn.giveBack}
        >
          <header className="card-head">
            <Dialog.Title>{title}</Dialog.Title>
            {!isLocked && <Dialog.Close className="text-button">{common.close}</Dialog.Close>}
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
      <DiscardQuestion isOpen={isAsking} keep={() => setAsking(false)} discard={discard} />
    </Dialog.Root>
  )
}

/** The page behind a dialog. A click on it leaves the focus in the dialog. */
const Overlay = () => (
  <Dialog.Overlay className="overlay" onMouseDown={(event) => event.preventDefault()} />
)

/** Focuses the first field of a dialog. Without a field, the button that closes the dialog keeps the focus. */
function focusFirstField(event: Event) {
  const dialog = event.currentTarget as HTMLElement
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input, select, textarea')]
  // The sign-in after an ended session already has the email address, so it begins with the password.
  const field = fields.find(({ autocomplete, value }) => autocomplete !== 'username' || !value)
  if (!field) return
  event.preventDefault()
  field.focus()
}

interface DiscardQuestionProps {
  isOpen: boolean
  keep(): void
  discard(): void
}

/** The question before a dialog closes with typed values. */
function DiscardQuestion({ isOpen, keep, discard }: DiscardQuestionProps) {
  const focusReturn = useFocusReturn()
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && keep()}>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          role="alertdialog"
          className="dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={focusReturn.keep}
          onCloseAutoFocus={focusReturn.giveBack}
        >
          <header className="card-head">
            <Dialog.Title>{forms.discardTitle}</Dialog.Title>
          </header>
          <div className="form">
            <p>{forms.discardLead}</p>
            <div className="form-end">
              <button type="button" className="primary" onClick={keep}>
                {forms.keepEditing}
              </button>
              <button type="button" className="danger-outlined" onClick={discard}>
                {forms.discard}
              </button>
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
