/** A link with third-party text. The other host gets no referrer. */
export function ExternalLink({ href, children }: { href: string | null; children: string }) {
  if (href === null || !/^https?:\/\//.test(href)) return <bdi>{children}</bdi>;
  return (
    <a href={href} rel="nofollow noopener noreferrer ugc">
      <bdi>{children}</bdi>
    </a>
  );
}
