import { Editor } from '@tiptap/core'
import { ListItem } from '@tiptap/extension-list'
import { StarterKit } from '@tiptap/starter-kit'
import { Toolbar } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { richText } from '../../text/rich-text.ts'
import { parseHtml } from './parse-html.ts'

interface EditorProps {
  /** The id of the label. */
  labelId: string
  /** The first text, whose formats the editor knows. */
  html: string
  /** Called with the HTML after each change; empty if there is no text. */
  onChange(html: string): void
}

/** Tab leaves the text, as it leaves every other field. In the library it moves an item of a list. */
const Item = ListItem.extend({
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) }
  },
})

const extensions = [
  StarterKit.configure({
    listItem: false,
    gapcursor: false,
    trailingNode: false,
    link: { openOnClick: false, HTMLAttributes: { rel: null, target: null } },
  }),
  Item,
]

/** A field for formatted text with its toolbar. */
export function RichTextEditor({ labelId, html, onChange }: EditorProps) {
  const frame = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  const [editor, setEditor] = useState<Editor>()
  const [, showState] = useReducer((count: number) => count + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own text after the first one.
  useEffect(() => {
    const attributes = {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': labelId,
      class: 'rich-text html',
    }
    const created: Editor = new Editor({
      element: frame.current,
      extensions,
      content: html,
      // In a form with other fields, the focus is in another one.
      autofocus: document.activeElement?.contains(frame.current) ? 'end' : false,
      // The content security policy allows no style that a script adds; ours are in catalogue.css.
      injectCSS: false,
      editorProps: { attributes, transformPastedHTML: withoutTables },
      onTransaction: showState,
      // The same text in the editor's spelling is no change.
      onUpdate: () => change.current(htmlOf(created) === unchanged ? html : htmlOf(created)),
    })
    const unchanged = htmlOf(created)
    setEditor(created)
    return () => created.destroy()
  }, [labelId])
  return (
    <div className="rich-text-frame">
      {editor && <Formats editor={editor} />}
      <div ref={frame} />
    </div>
  )
}

/** Pasted HTML in which each row of a table is a paragraph. The editor has no tables, and would join their cells. */
function withoutTables(html: string): string {
  const body = parseHtml(html)
  for (const row of body.querySelectorAll('tr')) {
    const cells = [...row.querySelectorAll('td, th')].map(({ textContent }) => textContent.trim())
    const paragraph = body.ownerDocument.createElement('p')
    paragraph.textContent = cells.join(' | ')
    row.closest('table')?.before(paragraph)
  }
  for (const part of body.querySelectorAll('table, template')) part.remove()
  return body.innerHTML
}

const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

type Command = ReturnType<Editor['chain']>

/** A format as data: its text, how it looks in the toolbar, whether it is on, and the command that turns it on or off. */
interface Format {
  label: string
  sign: ReactNode
  isOn?: (editor: Editor) => boolean
  run: (command: Command) => Command
}

const heading = (level: 2 | 3) => ({
  isOn: (editor: Editor) => editor.isActive('heading', { level }),
  run: (command: Command) => command.toggleHeading({ level }),
})

const FORMATS: readonly Format[] = [
  {
    label: richText.bold,
    sign: <strong>B</strong>,
    isOn: (editor) => editor.isActive('bold'),
    run: (command) => command.toggleBold(),
  },
  {
    label: richText.italic,
    sign: <em>I</em>,
    isOn: (editor) => editor.isActive('italic'),
    run: (command) => command.toggleItalic(),
  },
  { label: richText.heading, sign: <strong>H</strong>, ...heading(2) },
  { label: richText.subheading, sign: <small>H</small>, ...heading(3) },
  {
    label: richText.list,
    sign: '•',
    isOn: (editor) => editor.isActive('bulletList'),
    run: (command) => command.toggleBulletList(),
  },
  {
    label: richText.numbers,
    sign: '1.',
    isOn: (editor) => editor.isActive('orderedList'),
    run: (command) => command.toggleOrderedList(),
  },
  {
    label: richText.quote,
    sign: '“',
    isOn: (editor) => editor.isActive('blockquote'),
    run: (command) => command.toggleBlockquote(),
  },
]

const STEPS: readonly Format[] = [
  { label: richText.undo, sign: '↶', run: (command) => command.undo() },
  { label: richText.redo, sign: '↷', run: (command) => command.redo() },
]

function Formats({ editor }: { editor: Editor }) {
  const [isLinking, setLinking] = useState(false)
  const apply = ({ run }: Format) => run(editor.chain().focus()).run()
  const button = (format: Format) => (
    <Toolbar.Button
      key={format.label}
      type="button"
      className="text-button"
      title={format.label}
      {...(format.isOn && { 'aria-pressed': format.isOn(editor) })}
      onClick={() => apply(format)}
    >
      <span aria-hidden="true">{format.sign}</span>
      <span className="visually-hidden">{format.label}</span>
    </Toolbar.Button>
  )
  return (
    <>
      <Toolbar.Root className="formats" aria-label={richText.formats}>
        {FORMATS.map(button)}
        <Toolbar.Button
          type="button"
          className="text-button"
          aria-pressed={editor.isActive('link')}
          aria-expanded={isLinking}
          onClick={() => setLinking(!isLinking)}
        >
          {richText.link}
        </Toolbar.Button>
        {STEPS.map(button)}
      </Toolbar.Root>
      {isLinking && <LinkAddress editor={editor} close={() => setLinking(false)} />}
    </>
  )
}

/** Returns the typed address as a link; a mail address and an address without its scheme are completed. */
function linkOf(typed: string): string | undefined {
  const text = typed.trim()
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`
  const address = /^(https?:|mailto:)/i.test(text) ? text : `https://${text}`
  return URL.canParse(address) && /^(https?:\/\/[^/]+\.|mailto:)/i.test(address)
    ? address
    : undefined
}

/** The address of the link at the cursor or of the selected text. It is part of the form, which Enter must not send. */
function LinkAddress({ editor, close }: { editor: Editor; close(): void }) {
  const href = editor.getAttributes('link').href as string | undefined
  const [typed, setTyped] = useState(href ?? '')
  const [isWrong, setWrong] = useState(false)
  const set = () => {
    const link = linkOf(typed)
    if (link === undefined) return setWrong(true)
    const command = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && href === undefined)
      command.insertContent({
        type: 'text',
        text: link,
        marks: [{ type: 'link', attrs: { href: link } }],
      })
    else command.setLink({ href: link })
    command.run()
    close()
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') set()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="link-address">
      <input
        type="url"
        aria-label={richText.address}
        aria-invalid={isWrong}
        placeholder="https://example.com"
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the user opened it to type.
        autoFocus
        onKeyDown={onKeyDown}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="button" onClick={set}>
        {richText.setLink}
      </button>
      {href !== undefined && (
        <button type="button" onClick={remove}>
          {richText.removeLink}
        </button>
      )}
      {isWrong && (
        <p className="field-error" role="alert">
          {richText.wrongAddress}
        </p>
      )}
    </div>
  )
}
