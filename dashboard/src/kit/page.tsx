import { type ReactNode, useEffect } from 'react'
import { useStore } from '../api/store.ts'
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
        {actions && <div className="actions">{actions}</div>}
      </header>
      <OptionalReadFailures />
      {children}
    </BelowHeading>
  )
}
