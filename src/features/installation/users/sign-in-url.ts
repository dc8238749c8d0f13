import type { App } from '../../../app.ts'

export const signInUrl = ({ config }: Pick<App, 'config'>, token: string): string =>
  `${config.publicUrl}/dashboard/sign-in?token=${token}`
