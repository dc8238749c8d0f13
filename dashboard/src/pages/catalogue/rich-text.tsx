import { Suspense, useId, useState } from 'react'
import type { CustomControlProps } from '../../kit/fields.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { fill } from '../../text/catalogue.ts'
import { richText } from '../../text/rich-text.ts'
import { unknownFormats } from './parse-html.ts'

const Editor = lazyPart(
  async () => (await import('./rich-text-editor.tsx')).RichTextEditor,
  'opened',
)

/** The control of a field with formatted text, whose value is HTML. */
export const richTextControl = (label: string) => (props: CustomControlProps) => (
  <RichText label={label} {...props} />
)

/** Formatted text, or its HTML. Text with parts that the editor would lose is edited as HTML only. */
function RichText({ label, value, onChange }: CustomControlProps & { label: string }) {
  const html = typeof value === 'string' ? value : ''
  const unknown = unknownFormats(html)
  const [wantsSource, setWantsSource] = useState(false)
  const isSource = wantsSource || unknown.length > 0
  const id = useId()
  const change = (next: string) => onChange(next === '' ? undefined : next)
  return (
    <>
      <div className="rich-text-head">
        <label id={`${id}-label`} htmlFor={`${id}-source`}>
          {label}
        </label>
        <button
          type="button"
          className="text-button"
          aria-pressed={isSource}
          disabled={unknown.length > 0}
          onClick={() => setWantsSource(!isSource)}
        >
          HTML
        </button>
      </div>
      {isSource ? (
        <textarea
          id={`${id}-source`}
          rows={10}
          value={html}
          aria-describedby={`${id}-help`}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <Suspense fallback={<div className="skeleton rich-text-frame" aria-busy="true" />}>
          <Editor labelId={`${id}-label`} html={html} onChange={change} />
        </Suspense>
      )}
      {isSource && (
        <p className="help" id={`${id}-help`}>
          {unknown.length > 0 ? fill(richText.onlyHtml, { parts: unknown.join(', ') }) : ''}{' '}
          {richText.cleaned}
        </p>
      )}
    </>
  )
}
