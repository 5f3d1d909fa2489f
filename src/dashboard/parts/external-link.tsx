/** A link to another host, whose text is that host's: it learns nothing of where the reader came from. */
export function ExternalLink({ href, children }: { href: string | null; children: string }) {
  if (href === null || !/^https?:\/\//.test(href)) return <bdi>{children}</bdi>;
  return (
    <a href={href} rel="nofollow noopener noreferrer ugc">
      <bdi>{children}</bdi>
    </a>
  );
}
