import { type ReactNode, useEffect, useRef } from 'react'
import { common } from '../text/common.ts'
import { panel as text } from '../text/panel.ts'
import { Link, useOpenPage } from './link.tsx'
import { openLink, type PanelProps } from './record-panel.ts'
import { isNoRecord, Loaded, type Read } from './states.tsx'

interface SidePanelProps<Item> extends PanelProps {
  /** The kind of the record, such as `Order`. */
  label: string
  read: Read<Item>
  titleOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** A record next to its list. Escape closes it, and Enter opens the page of the record. */
export function SidePanel<Item>(props: SidePanelProps<Item>) {
  const { id, to, close, label, read, titleOf, children } = props
  const isMissing = read.data === undefined && isNoRecord(read.error)
  usePanelKeys(props, isMissing)
  if (isMissing) return <MissingRecord {...{ id, label, close }} />
  return (
    <aside className="side-panel" aria-label={label}>
      <header className="card-head">
        <Link to={to}>{text.openPage}</Link>
        <button type="button" className="text-button" onClick={close}>
          {common.close}
        </button>
      </header>
      {read.data === undefined && read.error && <Heading id={id} text={common.notShown} />}
      <Loaded read={read}>
        {(item) => (
          <>
            <Heading id={id} text={titleOf(item)} />
            {children(item)}
          </>
        )}
      </Loaded>
    </aside>
  )
}

/** Says that there is no record with the id in the address. It has no page either. */
const MissingRecord = ({
  id,
  label,
  close,
}: Pick<SidePanelProps<unknown>, 'id' | 'label' | 'close'>) => (
  <aside className="side-panel" aria-label={label}>
    <div className="failure">
      <Heading id={id} text={common.noRecord} />
      <button type="button" onClick={close}>
        {common.close}
      </button>
    </div>
  </aside>
)

/** Takes the focus when another record is opened. */
function Heading({ id, text: title }: { id: string; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id is the record that was opened.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [id])
  return (
    <h2 ref={heading} className="panel-title" tabIndex={-1}>
      {title}
    </h2>
  )
}

/** True if Enter does nothing else there: the heading of the panel, the row of its record, or no element. */
const opensPage = (target: EventTarget | null): boolean =>
  target === document.body ||
  target === openLink() ||
  (target instanceof Element && target.matches('.panel-title'))

function usePanelKeys({ to, close }: PanelProps, isMissing: boolean) {
  const openPage = useOpenPage()
  useEffect(() => {
    // A dialog or a menu above the panel handles the key itself.
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return
      if (event.key === 'Escape') close()
      if (event.key !== 'Enter' || isMissing || !opensPage(event.target)) return
      // Otherwise the link of the row is followed too.
      event.preventDefault()
      openPage(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [to, close, openPage, isMissing])
}
