import { useRouterState } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { connection as texts } from '../text/connection.ts'
import { countText } from './words.ts'

export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.get)

/** The notice on top of the page that the server does not answer, with the changes that wait for it. */
export function ConnectionNotice() {
  const isPageWaiting = useRouterState({ select: ({ status }) => status === 'pending' })
  const { isOnline, isSilent, waitingChanges, waitingCode, limited_s } = useConnection()
  const isPartWaiting = isSilent && waitingCode > 0
  if (isOnline && !isPartWaiting && waitingChanges.length === 0 && limited_s === 0) return null
  return (
    <div className="notice-bar" role="status">
      {(!isOnline || isPartWaiting) && <p>{texts.lost}</p>}
      {(isPartWaiting || (!isOnline && (isPageWaiting || waitingCode > 0))) && (
        <p>{texts.partWaits}</p>
      )}
      {limited_s > 0 && <p>{fill(common.tooMany, { n: limited_s })}</p>}
      {waitingChanges.length > 0 && (
        <>
          <p>
            <b>{countText(waitingChanges.length, texts.waitsOne, texts.waits)}</b>
          </p>
          <ul>
            {waitingChanges.map(({ id, name, cancel }) => (
              <li key={id}>
                {name}{' '}
                <button type="button" onClick={cancel}>
                  {common.cancel}
                  <span className="visually-hidden"> {name}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
