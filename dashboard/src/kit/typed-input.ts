import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element.matches('input, select, textarea')

/** The text of a search is not worth a question. */
const isKept = (control: Control) => control.type !== 'search'

const inputOf = (control: Control): string =>
  control instanceof HTMLInputElement && control.type === 'checkbox'
    ? String(control.checked)
    : control.value

/**
 * Tells whether the user changed a control of a dialog that is still shown, was not submitted and has no draft. While that is so, or
 * while `isLocked`, the browser asks before it leaves the page.
 */
export function useTypedInput(
  dialog: RefObject<HTMLElement | null>,
  { isOpen, isLocked, keepsTyped }: Record<'isOpen' | 'isLocked' | 'keepsTyped', boolean>,
) {
  const formerValues = useRef(new Map<Control, string>())
  const hasTyped = () => {
    if (keepsTyped || dialog.current?.querySelector('form[aria-busy=true]')) return false
    return [...formerValues.current].some(
      ([control, value]) => control.isConnected && isKept(control) && inputOf(control) !== value,
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hasTyped` reads references only.
  useEffect(() => {
    if (!isOpen) return
    const ask = (event: BeforeUnloadEvent) => {
      if (isLocked || hasTyped()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
    }
  }, [isOpen, isLocked])
  return {
    hasTyped,
    /** Called when the dialog opens. */
    reset: () => formerValues.current.clear(),
    /** Keeps the value that a control had when it first got the focus. */
    onFocus({ target }: FocusEvent) {
      if (isControl(target) && !formerValues.current.has(target))
        formerValues.current.set(target, inputOf(target))
    },
  }
}
