import type { Settings } from '../../../schema/config/settings.ts';
import { safeLink } from '../components/links.ts';

/** An e-mail or web address, as a link if it is valid. */
function Contact({ to }: { to: string }) {
  const href = safeLink(to) ?? (/^[^\s@]+@[^\s@]+$/.test(to) ? `mailto:${to}` : null);
  return href ? <a href={href}>{to}</a> : to;
}

/** Who runs the service and how to contact them, or that the settings do not say. */
export function Operator({ settings }: { settings: Settings }) {
  const { OPERATOR, OPERATOR_ADDRESS, PRIVACY_CONTACT } = settings;
  const parts = OPERATOR_ADDRESS?.split(';').map((part) => part.trim()) ?? [];
  return (
    <address>
      {OPERATOR ? [OPERATOR, ...parts].join(', ') : 'The operator of this service has not given a name here.'}
      <br />
      {PRIVACY_CONTACT ? (
        <>
          Write to <Contact to={PRIVACY_CONTACT} />
        </>
      ) : (
        'No contact address is given either: until there is one, ask the person who gave you the address of this site.'
      )}
    </address>
  );
}
