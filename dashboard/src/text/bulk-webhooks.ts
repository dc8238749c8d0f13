import { catalogue } from './catalogue.ts'

/** Texts of the actions on several webhook endpoints. */
export const bulkWebhooks = catalogue({
  turnOn: [
    'Turn {n} {n:endpoint|endpoints} on',
    '{n} {n:Endpunkt|Endpunkte} einschalten',
    'Activar {n} {n:endpoint|endpoints}',
  ],
  turnOnLead: [
    'New events are sent to {n} {n:endpoint|endpoints} again, and the count of failures starts at 0.',
    'Neue Ereignisse gehen wieder an {n} {n:Endpunkt|Endpunkte}, und die Zahl der Fehler beginnt bei 0.',
    '{n} {n:endpoint recibe|endpoints reciben} de nuevo los eventos, y el número de fallos empieza en 0.',
  ],
  turnOff: [
    'Turn {n} {n:endpoint|endpoints} off',
    '{n} {n:Endpunkt|Endpunkte} ausschalten',
    'Desactivar {n} {n:endpoint|endpoints}',
  ],
  turnOffLead: [
    'New events are not sent to {n} {n:endpoint until it is|endpoints until they are} on again.',
    'Neue Ereignisse gehen nicht mehr an {n} {n:Endpunkt, bis er wieder an ist|Endpunkte, bis sie wieder an sind}.',
    '{n} {n:endpoint no recibe|endpoints no reciben} eventos nuevos hasta que se {n:active|activen} otra vez.',
  ],
})
