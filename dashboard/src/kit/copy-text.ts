/**
 * Copies a text to the clipboard; returns false if the browser refuses. `navigator.clipboard`
 * exists only on https and on localhost, so elsewhere the text is selected and copied with a
 * command.
 */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  )
}

function copySelected(text: string): boolean {
  const focusedElement = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  // The element is added to the open dialog, because the focus cannot leave the dialog.
  const parent = document.querySelector('[role=dialog]') ?? document.body
  parent.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focusedElement instanceof HTMLElement) focusedElement.focus()
  return isCopied
}
