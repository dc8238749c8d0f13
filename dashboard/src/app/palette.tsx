import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type RefObject, useRef } from 'react'
import { loadWhenOnline } from '../api/load-code.ts'
import { useStore } from '../api/store.ts'
import { useDebounced } from '../kit/debounced.ts'
import { useOpenPage } from '../kit/link.tsx'
import { linkPathOf } from '../kit/page-entry.ts'
import { restoreFocus } from '../kit/restore-focus.ts'
import { commands } from '../text/commands.ts'
import { shell } from '../text/shell.ts'
import { useCommands } from './commands.ts'
import { entriesFor } from './pages.ts'

const importSearch = () => import('./find-records.ts')

const SEARCH_LENGTH_MIN = 2
/** A search sends several requests, so it starts when the user pauses. */
const SEARCH_DELAY_MS = 150

interface PaletteProps {
  isOpen: boolean
  input: string
  setInput(input: string): void
  close(): void
  /** The element that had the focus when the palette was opened. */
  opener: RefObject<HTMLElement | null>
}

/** The command palette (Ctrl K): finds records, opens pages and runs actions. */
export function Palette(props: PaletteProps) {
  const { isOpen, close, opener } = props
  const field = useRef<HTMLInputElement>(null)
  /** Closes the palette without opening a page, and restores the focus. */
  const cancel = () => {
    close()
    setTimeout(() => restoreFocus(opener.current))
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && cancel()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="palette"
          aria-label={shell.palette}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // By default the text of the input is selected, and the next letter would replace it.
            event.preventDefault()
            field.current?.focus()
          }}
        >
          <Choices {...props} {...{ field, cancel }} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ChoicesProps extends PaletteProps {
  field: RefObject<HTMLInputElement | null>
  cancel(): void
}

function Choices({ isOpen, input, setInput, close, cancel, field }: ChoicesProps) {
  const store = useStore()
  const openPage = useOpenPage()
  const commandList = useCommands(store)
  const text = useDebounced(input.trim(), SEARCH_DELAY_MS)
  const { data: records = [] } = useQuery({
    queryKey: [store.id, 'find', text],
    queryFn: async () => (await loadWhenOnline(importSearch)).findRecords(store, text),
    enabled: isOpen && text.length >= SEARCH_LENGTH_MIN,
  })
  const open = (to: string) => {
    close()
    openPage(to)
  }
  return (
    <Command label={shell.palette}>
      <Command.Input
        ref={field}
        value={input}
        onValueChange={setInput}
        placeholder={shell.paletteHint}
      />
      <Command.List>
        <Command.Empty>{shell.noResults}</Command.Empty>
        {records.length > 0 && (
          <Command.Group heading={shell.found}>
            {records.map(({ to, label, detail }) => (
              // The server has searched already. With the typed text as a keyword, no record is filtered
              // out again.
              <Command.Item
                key={to}
                value={to}
                keywords={[label, detail, text]}
                onSelect={() => open(to)}
              >
                {label} <span className="secondary-text">{detail}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading={shell.goTo}>
          {entriesFor(store.role).map(
            ({ path, nav }) =>
              nav && (
                <Command.Item
                  key={path}
                  value={`${nav.label} ${path}`}
                  onSelect={() => open(linkPathOf({ path }))}
                >
                  {nav.label}
                </Command.Item>
              ),
          )}
        </Command.Group>
        <Command.Group heading={commands.heading}>
          {commandList.map(({ label, to, act }) => (
            <Command.Item
              key={label}
              value={label}
              onSelect={() => {
                if (to !== undefined) return open(to)
                cancel()
                act?.()
              }}
            >
              {label}
            </Command.Item>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  )
}
