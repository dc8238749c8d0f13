import { type RefObject, useId, useRef } from 'react'
import { fill } from '../../text/catalogue.ts'
import { mail } from '../../text/mail.ts'
import { type Placeholder, placeholderText } from './mail-parts.ts'

interface TextProps {
  /** A field with rows is a text of several lines. */
  field: { name: string; label: string; rows?: number }
  template: string
  /** The placeholders that have a value in it. */
  names: readonly Placeholder[]
  value: unknown
  errorOf(part: string): string | undefined
  onChange(value: unknown): void
}

type Control = HTMLInputElement | HTMLTextAreaElement

/** A text in which placeholders stand for values. A button inserts one at the cursor. */
export function TextWithPlaceholders({ field, template, names, ...props }: TextProps) {
  const { name, label, rows } = field
  const { value, errorOf, onChange } = props
  const id = useId()
  const control = useRef<Control>(null)
  const text = String(value ?? '')
  /** The cursor; undefined until the field had the focus, when texts are added at the end. */
  const cursor = useRef<{ start: number; end: number }>(undefined)
  const shared = {
    id,
    name,
    value: text,
    required: true,
    'aria-invalid': errorOf(name) !== undefined,
    onChange: ({ target }: { target: Control }) => onChange(target.value),
    onSelect: ({ currentTarget }: { currentTarget: Control }) => {
      const { selectionStart, selectionEnd } = currentTarget
      cursor.current = { start: selectionStart ?? 0, end: selectionEnd ?? 0 }
    },
  }
  const insert = (placeholder: Placeholder) => {
    const { start, end } = cursor.current ?? { start: text.length, end: text.length }
    const inserted = `{{${placeholder}}}`
    onChange(text.slice(0, start) + inserted + text.slice(end))
    const caret = start + inserted.length
    requestAnimationFrame(() => {
      control.current?.focus()
      control.current?.setSelectionRange(caret, caret)
    })
  }
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input ref={control as RefObject<HTMLInputElement | null>} {...shared} />
      ) : (
        <textarea ref={control as RefObject<HTMLTextAreaElement | null>} rows={rows} {...shared} />
      )}
      <fieldset className="placeholders">
        <legend>{fill(mail.insert, { field: label })}</legend>
        {names.map((placeholder) => (
          <button
            type="button"
            key={placeholder}
            title={`{{${placeholder}}}`}
            onClick={() => insert(placeholder)}
          >
            {placeholderText(template, placeholder)}
          </button>
        ))}
      </fieldset>
    </>
  )
}
