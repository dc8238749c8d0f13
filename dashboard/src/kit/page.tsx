import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from '../api/store.ts'
import { common } from '../text/common.ts'
import { Link } from './link.tsx'
import { OptionalReadFailures } from './optional-read-failures.tsx'
import { BelowHeading } from './states.tsx'

interface PageProps {
  title: string
  /** The list that the record belongs to. */
  parent?: { to: string; label: string }
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The actions of a page. A narrow screen shows the first of them, and the others once they are asked for. */
function Actions({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) box.current?.querySelectorAll<HTMLElement>(':scope > button')[1]?.focus()
  }, [isOpen])
  return (
    <div ref={box} className="actions" data-open={isOpen}>
      {children}
      <button
        type="button"
        className="more"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {common.moreActions}
      </button>
    </div>
  )
}

/** A page with its heading; the heading takes the focus when the page opens. */
export function Page({ title, parent, lead, actions, children }: PageProps) {
  const { name } = useStore()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <BelowHeading value>
      <header className="page-head">
        <div>
          {parent && (
            <p className="crumb">
              <Link to={parent.to}>{parent.label}</Link>
            </p>
          )}
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <div className="secondary-text">{lead}</div>}
        </div>
        {actions && <Actions>{actions}</Actions>}
      </header>
      <OptionalReadFailures />
      {children}
    </BelowHeading>
  )
}
