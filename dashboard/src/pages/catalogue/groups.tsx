import { Groupings } from './groupings.tsx'

export const Page = () => <Groupings kind="groups" />
