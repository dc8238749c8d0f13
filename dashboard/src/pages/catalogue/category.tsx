import { GroupingRecord } from './grouping.tsx'

export const Page = () => <GroupingRecord kind="categories" />
