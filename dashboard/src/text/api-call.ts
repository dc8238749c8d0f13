import { catalogue } from './catalogue.ts'

/** The texts next to the API call of a form. They are loaded with the forms. */
export const apiCall = catalogue({
  keyOfSample: [
    '`{variable}` is a key of this store, such as “{name}” (`{key}`).',
    '`{variable}` ist ein Key dieses Shops, etwa „{name}“ (`{key}`).',
    '`{variable}` es una clave de esta tienda, como «{name}» (`{key}`).',
  ],
  noKeyOfSample: [
    '`{variable}` is a key of this store. Create one under API keys.',
    '`{variable}` ist ein Key dieses Shops. Erstellen Sie einen unter API-Keys.',
    '`{variable}` es una clave de esta tienda. Cree una en Claves de API.',
  ],
  fillFirst: [
    'Fill in the required fields first.',
    'Füllen Sie zuerst die Pflichtfelder aus.',
    'Complete primero los campos obligatorios.',
  ],
  onlyHere: [
    'Only the dashboard can do this.',
    'Das geht nur im Dashboard.',
    'Solo se puede hacer en el panel.',
  ],
  commandLine: ['command line', 'Befehlszeile', 'línea de comandos'],
})
