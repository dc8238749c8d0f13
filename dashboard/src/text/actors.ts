import { catalogue } from './catalogue.ts'

/** The people and programs that make changes. */
export const actors = catalogue({
  user: ['A former user', 'Ein früherer Benutzer', 'Un usuario anterior'],
  key: ['An API key', 'Ein API-Key', 'Una clave de API'],
  keyNamed: ['API key “{name}”', 'API-Key „{name}“', 'Clave de API «{name}»'],
  customer: ['Customer', 'Kunde', 'Cliente'],
  commandLine: ['Command line', 'Kommandozeile', 'Línea de comandos'],
  system: ['System', 'System', 'Sistema'],
})
